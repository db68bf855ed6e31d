import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteConnection, setConnection } from '#contract/rh/connection.ts'
import { callRh } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { ChoiceField } from '#web/parts/choice-field.tsx'
import { ConfirmedAction } from '#web/parts/confirmed-action.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { Tone } from '#web/parts/tone.tsx'
import { connectionQuery } from '#web/read/housekeeping-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import type { SectionProps } from './section-props.ts'

const told = { workflows: 'Workflows', jobs: 'Jobs', both: 'Workflows and jobs' } as const
type Told = keyof typeof told

const sources = { git: 'Git, from a mirror', provider: 'The interface of the provider' } as const
type Source = keyof typeof sources

/** The token with which a project speaks to its provider, and of what that is told. */
export function ProviderToken({ slug, access, refused }: SectionProps) {
  const connection = useQuery({ ...connectionQuery(slug), enabled: access.may_inspect })
  return (
    <>
      <SectionHead
        inner
        name="Commit statuses"
        about="With a token of the provider, commits and pull requests there show how they did here, and the checkout key is registered by itself."
      />
      {access.may_inspect && (
        <QueryView query={connection}>
          {({ connected, statuses, source }) => (
            <>
              <div className="panel one-line">
                <Tone tone={connected ? 'good' : 'idle'}>
                  {connected
                    ? `The provider is told of ${told[statuses].toLowerCase()}`
                    : 'No token: the provider is told nothing'}
                </Tone>
                {connected && (
                  <ConfirmedAction
                    name="Remove token"
                    what="of the provider"
                    question="Remove the token? The provider is told nothing more."
                    act={() => callRh(deleteConnection, { params: { ...slug } })}
                    refused={refused}
                  />
                )}
              </div>
              <TokenForm
                key={`${statuses} ${source}`}
                slug={slug}
                statuses={statuses}
                source={source}
                connected={connected}
                refused={refused}
              />
            </>
          )}
        </QueryView>
      )}
    </>
  )
}

interface FormProps extends Pick<SectionProps, 'slug' | 'refused'> {
  readonly statuses: Told
  readonly source: Source
  readonly connected: boolean
}

function TokenForm({ slug, statuses, source, connected, refused }: FormProps) {
  const [token, setToken] = useState('')
  const [of, setOf] = useState<Told>(statuses)
  const [from, setFrom] = useState<Source>(source)
  const save = useAction(
    () =>
      callRh(setConnection, {
        params: { ...slug },
        body: { statuses: of, ...(token !== '' && { token }), ...(from !== source && { source: from }) },
      }),
    () => setToken(''),
  )
  const made = save.data
  return (
    <ActionForm
      name="Commit statuses"
      button={connected ? 'Keep' : 'Connect'}
      action={save}
      done={made?.access ? `Kept: the token may ${made.access}.` : 'Kept.'}
      refused={refused}
      onSubmit={() => save.mutate(undefined)}
    >
      <div className="form-row">
        <TextField
          label="Token of the provider"
          type="password"
          required={!connected && from === source}
          hint={
            connected ? 'Empty: the one there is stays.' : 'One that may read the repository and write commit statuses.'
          }
          value={token}
          onText={setToken}
        />
        <ChoiceField label="Told of" value={of} choices={told} onChoice={setOf} />
        <ChoiceField label="Configurations are read by" value={from} choices={sources} onChoice={setFrom} />
      </div>
      {made?.checkout_key_registered && <p role="status">The provider now lets the checkout key read.</p>}
    </ActionForm>
  )
}
