import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { type DeclaredParameter, listDeclaredParameters } from '#contract/rh/project-page.ts'
import { triggerPipeline } from '#contract/v2/pipeline.ts'
import { pipelinePage, runPage, type Slug, slugText } from '#web/address.ts'
import { callRh, callV2 } from '#web/api/calls.ts'
import { useSlug } from '#web/pages/use-slug.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { ChoiceField } from '#web/parts/choice-field.tsx'
import { Crumbs } from '#web/parts/crumbs.tsx'
import { ProjectHead } from '#web/parts/project-head.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { projectQuery } from '#web/read/queries.ts'
import { accessQuery } from '#web/read/settings-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { useTitle } from '#web/read/use-title.ts'
import { type Chosen, parametersToSend, problemsIn, shownValue } from './run-form.ts'

type Target = { readonly branch: string } | { readonly tag: string }

/** Runs a pipeline with the parameters that its configuration declares; what it runs on is in the address. */
export function RunPage() {
  const slug = useSlug()
  const [search] = useSearchParams()
  const project = useQuery(projectQuery(slug))
  const access = useQuery(accessQuery(slug))
  useTitle(`Run · ${slug.org}/${slug.repo}`)
  const tag = search.get('tag')
  return (
    <>
      <Crumbs trail={[{ name: 'Dashboard', to: '/' }]} />
      <ProjectHead slug={slug} />
      <h2 className="unseen">Run a pipeline</h2>
      <QueryView query={project}>
        {({ vcs_info }) => {
          const target = tag === null ? { branch: search.get('branch') ?? vcs_info.default_branch } : { tag }
          const key = `${slugText(slug)} ${JSON.stringify(target)}`
          return (
            <>
              <TargetForm key={key} slug={slug} target={target} />
              {access.data && !access.data.may_build ? (
                <p className="note">
                  You may look at this project and not run it. Ask an owner of its organization to make you a member.
                </p>
              ) : (
                <Parameters key={`${key} parameters`} slug={slug} target={target} />
              )}
            </>
          )
        }}
      </QueryView>
    </>
  )
}

function TargetForm({ slug, target }: { readonly slug: Slug; readonly target: Target }) {
  const navigate = useNavigate()
  const [kind, setKind] = useState<'branch' | 'tag'>('tag' in target ? 'tag' : 'branch')
  const [name, setName] = useState('tag' in target ? target.tag : target.branch)
  return (
    <ActionForm
      name="What to run"
      button="Read its parameters"
      action={{ isPending: false, error: undefined }}
      onSubmit={() => void navigate(`${runPage(slug)}?${new URLSearchParams({ [kind]: name }).toString()}`)}
    >
      <div className="form-row">
        <ChoiceField label="Run" value={kind} choices={{ branch: 'A branch', tag: 'A tag' }} onChoice={setKind} />
        <TextField label={kind === 'tag' ? 'Tag' : 'Branch'} required value={name} onText={setName} />
      </div>
    </ActionForm>
  )
}

function Parameters({ slug, target }: { readonly slug: Slug; readonly target: Target }) {
  const declared = useQuery({
    queryKey: ['declared', slugText(slug), JSON.stringify(target)],
    queryFn: ({ signal }) => callRh(listDeclaredParameters, { params: { ...slug }, query: target }, { signal }),
  })
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<Chosen>({})
  // Only what was sent is blamed: nobody is told of a mistake while still typing.
  const [problems, setProblems] = useState<ReturnType<typeof problemsIn>>({})
  const run = useAction(
    () => {
      const parameters = parametersToSend(declared.data?.items ?? [], chosen)
      return callV2(triggerPipeline, { params: { ...slug }, body: { ...target, parameters } })
    },
    ({ number }) => void navigate(pipelinePage(slug, number)),
  )
  return (
    <QueryView query={declared}>
      {({ items, config_path, revision }) => (
        <>
          <h3>Parameters</h3>
          <p className="soft">
            {config_path === null
              ? 'There is no configuration here: a pipeline would end with an error that says so.'
              : `${items.length === 0 ? 'None declared' : 'As declared'} in ${config_path} at ${revision.slice(0, 9)}.`}
          </p>
          <ActionForm
            name="Run"
            button="Run pipeline"
            action={run}
            onSubmit={() => {
              const found = problemsIn(items, chosen)
              setProblems(found)
              if (Object.keys(found).length === 0) run.mutate(undefined)
            }}
          >
            {items.map((parameter) => (
              <ParameterField
                key={parameter.name}
                parameter={parameter}
                value={shownValue(parameter, chosen)}
                error={problems[parameter.name]}
                onValue={(value) => setChosen((before) => ({ ...before, [parameter.name]: value }))}
              />
            ))}
          </ActionForm>
        </>
      )}
    </QueryView>
  )
}

interface FieldProps {
  readonly parameter: DeclaredParameter
  readonly value: string | boolean
  readonly error: string | undefined
  readonly onValue: (value: string | boolean) => void
}

function ParameterField({ parameter, value, error, onValue }: FieldProps) {
  const { name, type, description, choices } = parameter
  const field = { label: name, hint: description ?? undefined, error }
  if (type === 'boolean')
    return (
      <div className="field">
        <label className="check">
          <input type="checkbox" checked={value === true} onChange={(event) => onValue(event.target.checked)} />
          {name}
        </label>
        {description !== null && <small>{description}</small>}
      </div>
    )
  if (type === 'enum')
    return (
      <ChoiceField
        {...field}
        value={String(value)}
        choices={Object.fromEntries(choices.map((choice) => [choice, choice]))}
        onChoice={onValue}
      />
    )
  return (
    <TextField
      {...field}
      value={String(value)}
      onText={onValue}
      {...(type === 'integer' && { inputMode: 'numeric' as const })}
    />
  )
}
