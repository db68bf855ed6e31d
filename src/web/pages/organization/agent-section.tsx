import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Agent, createAgentToken, deleteAgentToken, setAgentMode } from '#contract/rh/agents.ts'
import { callRh } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { ConfirmButton } from '#web/parts/confirm-button.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { SecretOnce } from '#web/parts/secret-once.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { When } from '#web/parts/when.tsx'
import { agentsQuery } from '#web/read/organization-queries.ts'
import { useAction } from '#web/read/use-action.ts'

interface Props {
  /** Nothing: the whole installation. */
  readonly organization: string | undefined
  readonly refused: string | undefined
}

const states: Readonly<Record<Agent['state'], { readonly name: string; readonly tone: string }>> = {
  new: { name: 'Never came', tone: 'idle' },
  idle: { name: 'Idle', tone: 'good' },
  busy: { name: 'Busy', tone: 'busy' },
  draining: { name: 'Draining', tone: 'hold' },
  paused: { name: 'Paused', tone: 'hold' },
  obstructed: { name: 'Cannot take jobs', tone: 'bad' },
  lost: { name: 'Lost', tone: 'bad' },
}

/** The machines that run jobs: how busy they are, and whether they take more. */
export function AgentSection({ organization, refused }: Props) {
  const agents = useQuery({ ...agentsQuery(organization), enabled: refused === undefined })
  if (refused !== undefined) return <p className="note">{refused}</p>
  return (
    <>
      <QueryView query={agents}>
        {({ items }) => (
          <DataTable
            caption="Agents"
            empty="No agent of its own: jobs run on the agents of the installation."
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Name', cell: ({ name }) => name },
              {
                name: 'State',
                cell: ({ state, obstacle }) => (
                  <span className={`status ${states[state].tone}`} title={obstacle ?? undefined}>
                    {states[state].name}
                    {obstacle !== null && `: ${obstacle}`}
                  </span>
                ),
              },
              { name: 'Load', cell: (agent) => <Load agent={agent} /> },
              { name: 'Runs', cell: (agent) => [...agent.executors, ...agent.labels].join(', ') || '–' },
              { name: 'Classes', cell: ({ resource_classes }) => resource_classes.join(', ') || 'any' },
              { name: 'Version', cell: ({ version }) => version ?? '–' },
              {
                name: 'Last seen',
                cell: ({ last_seen_at }) => (last_seen_at === null ? 'never' : <When at={last_seen_at} />),
              },
              { name: 'Actions', unseen: true, cell: (agent) => <AgentActions agent={agent} /> },
            ]}
          />
        )}
      </QueryView>
      <NewAgent organization={organization} />
    </>
  )
}

function Load({ agent: { name, busy, slots } }: { readonly agent: Agent }) {
  if (slots === null) return '–'
  return (
    <span className="load">
      <meter min={0} max={Math.max(1, slots)} value={busy} aria-label={`Load of ${name}`} /> {busy} of {slots}
    </span>
  )
}

function AgentActions({ agent }: { readonly agent: Agent }) {
  const mode = useAction((to: Agent['mode']) => callRh(setAgentMode, { params: { id: agent.id }, body: { mode: to } }))
  const revoke = useAction(() => callRh(deleteAgentToken, { params: { id: agent.token_id } }))
  const to = agent.mode === 'working' ? 'paused' : 'working'
  return (
    <div className="row-actions">
      <button
        type="button"
        className="quiet"
        disabled={mode.isPending}
        aria-label={`${to === 'paused' ? 'Pause' : 'Let work'} ${agent.name}`}
        onClick={() => mode.mutate(to)}
      >
        {to === 'paused' ? 'Pause' : 'Let work'}
      </button>
      {agent.mode !== 'draining' && (
        <ConfirmButton
          name="Drain"
          what={agent.name}
          question={`Drain ${agent.name}? It takes no more jobs and ends when its jobs have.`}
          action={{ ...mode, mutate: () => mode.mutate('draining') }}
        />
      )}
      <ConfirmButton
        name="Revoke"
        what={`the token of ${agent.name}`}
        question={`Revoke the token of ${agent.name}? It can come no more, and what it runs is lost.`}
        action={{ ...revoke, mutate: () => revoke.mutate(undefined) }}
      />
      <Trouble error={mode.error} />
    </div>
  )
}

function NewAgent({ organization }: { readonly organization: string | undefined }) {
  const [name, setName] = useState('')
  const make = useAction(
    () => callRh(createAgentToken, { body: { name, ...(organization !== undefined && { organization }) } }),
    () => setName(''),
  )
  return (
    <>
      <h3>New agent</h3>
      <p className="soft">
        Make a token, then run <code>roundhouse agent</code> on the machine with it in{' '}
        <code>ROUNDHOUSE_AGENT_TOKEN</code>.
      </p>
      <ActionForm name="New agent" button="Make agent token" action={make} onSubmit={() => make.mutate(undefined)}>
        <TextField label="Name" required maxLength={200} value={name} onText={setName} />
      </ActionForm>
      {make.data && <SecretOnce name="Token of the agent" text={make.data.token} />}
    </>
  )
}
