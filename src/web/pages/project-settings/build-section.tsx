import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type AdvancedSettings, updateProjectSettings } from '#contract/v2/project-settings.ts'
import { callV2 } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { settingsQuery } from '#web/read/settings-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import type { SectionProps } from './section-props.ts'
import { WaitingForks } from './waiting-forks.tsx'

type Flag = Exclude<keyof AdvancedSettings, 'pr_only_branch_overrides'>

const flags: readonly { readonly flag: Flag; readonly name: string; readonly hint: string }[] = [
  {
    flag: 'autocancel_builds',
    name: 'Cancel redundant pipelines',
    hint: 'A newer pipeline of a branch cancels the older ones; never on the default branch.',
  },
  {
    flag: 'build_fork_prs',
    name: 'Build pull requests of forks',
    hint: 'Strangers decide what runs. Without the next setting their jobs see no secrets.',
  },
  {
    flag: 'forks_receive_secret_env_vars',
    name: 'Pass secrets to builds of forks',
    hint: 'Anybody who opens a pull request can then read the variables of this project. Leave it off for public projects.',
  },
  {
    flag: 'build_prs_only',
    name: 'Build only what has a pull request',
    hint: 'Pushes to the branches below are built all the same.',
  },
  {
    flag: 'set_github_status',
    name: 'Report status to the provider',
    hint: 'Commits there show how their jobs ended.',
  },
  { flag: 'setup_workflows', name: 'Allow setup workflows', hint: 'A configuration may compute the one that goes on.' },
  { flag: 'disable_ssh', name: 'No reruns with SSH', hint: 'Nobody comes into a job of this project.' },
  { flag: 'oss', name: 'Public', hint: 'Anybody may read pipelines, logs and artifacts, without signing in.' },
  {
    flag: 'write_settings_requires_admin',
    name: 'Only owners change settings',
    hint: 'Members of the organization may then look at these settings and not change them.',
  },
]

/** What a project builds, and with what. */
export function BuildSection({ slug, access, refused }: SectionProps) {
  const settings = useQuery({ ...settingsQuery(slug), enabled: access.may_inspect })
  return (
    <>
      <SectionHead name="Builds and forks" about="What is built, and what it is given." refused={refused} />
      {access.may_inspect && (
        <QueryView query={settings}>
          {({ advanced }) => {
            const only = advanced.write_settings_requires_admin && !access.may_own
            const why = refused ?? (only ? 'Only owners of the organization may change these settings.' : undefined)
            return (
              <>
                {only && <p className="note">{why}</p>}
                <div className="panel switches">
                  {flags.map(({ flag, name, hint }) => (
                    <Switch
                      key={flag}
                      slug={slug}
                      flag={flag}
                      name={name}
                      hint={hint}
                      on={advanced[flag]}
                      refused={why}
                    />
                  ))}
                </div>
                <Overrides slug={slug} refused={why} branches={advanced.pr_only_branch_overrides} />
              </>
            )
          }}
        </QueryView>
      )}
      {!access.hosted && <WaitingForks slug={slug} access={access} refused={refused} />}
    </>
  )
}

type Setting = Pick<SectionProps, 'slug' | 'refused'>

interface SwitchProps extends Setting {
  readonly flag: Flag
  readonly name: string
  readonly hint: string
  readonly on: boolean
}

function Switch({ slug, flag, name, hint, on, refused }: SwitchProps) {
  const id = useId()
  const change = useAction((to: boolean) =>
    callV2(updateProjectSettings, { params: { ...slug }, body: { advanced: { [flag]: to } } }),
  )
  const shown = change.isPending ? change.variables : on
  return (
    <div className="switch">
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={shown}
        aria-describedby={`${id}-hint`}
        disabled={refused !== undefined || change.isPending}
        onChange={(event) => change.mutate(event.target.checked)}
      />
      <label htmlFor={id} className="check">
        {name}
      </label>
      <small id={`${id}-hint`}>{hint}</small>
      <Trouble error={change.error} />
    </div>
  )
}

function Overrides({ slug, refused, branches }: Setting & { readonly branches: readonly string[] }) {
  const [text, setText] = useState<string>()
  const save = useAction(
    (list: string[]) =>
      callV2(updateProjectSettings, { params: { ...slug }, body: { advanced: { pr_only_branch_overrides: list } } }),
    () => setText(undefined),
  )
  const shown = text ?? branches.join(', ')
  return (
    <ActionForm
      name="Branches that are always built"
      button="Keep branches"
      action={save}
      refused={refused}
      onSubmit={() => save.mutate(shown.split(/[\s,]+/).filter(Boolean))}
    >
      <TextField
        label="Branches that are always built"
        hint="Separated by commas. They need no pull request."
        value={shown}
        onText={setText}
      />
    </ActionForm>
  )
}
