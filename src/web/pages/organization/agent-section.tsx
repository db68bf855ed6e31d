import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Agent, createAgentToken, deleteAgentToken, setAgentMode } from '#contract/rh/agents.ts'
import { callRh } from '#web/api/calls.ts'
import { AddButton, AddForm } from '#web/parts/add-form.tsx'
import { ConfirmedAction } from '#web/parts/confirmed-action.tsx'
import { CopiedText } from '#web/parts/copied-text.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { QuickAction } from '#web/parts/quick-action.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { Tone } from '#web/parts/tone.tsx'
import { When } from '#web/parts/when.tsx'
import { agentsQuery } from '#web/read/organization-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { useOpened } from '#web/read/use-opened.ts'
import type { Tone as ToneWord } from '#web/status-look.ts'

interface Props {
  /** Nothing: the whole installation. */
  readonly organization: string | undefined
  readonly refused: string | undefined
}

const states: Readonly<Record<Agent['state'], { readonly name: string; readonly tone: ToneWord }>> = {
  new: { name: 'Never came', tone: 'idle' },
  idle: { name: 'Idle', tone: 'good' },
  busy: { name: 'Busy', tone: 'busy' },
  draining: { name: 'Draining', tone: 'stop' },
  paused: { name: 'Paused', tone: 'hold' },
  obstructed: { name: 'Cannot take jobs', tone: 'bad' },
  lost: { name: 'Lost', tone: 'bad' },
}

/** The machines that run jobs: how busy they are, and whether they take more. */
export function AgentSection({ organization, refused }: Props) {
  const agents = useQuery({ ...agentsQuery(organization), enabled: refused === undefined })
  const [name, setName] = useState('')
  const making = useOpened('agent')
  const make = useAction(
    () => callRh(createAgentToken, { body: { name, ...(organization !== undefined && { organization }) } }),
    () => {
      setName('')
      making.close()
    },
  )
  return (
    <>
      <SectionHead
        name="Agents"
        about={
          organization === undefined
            ? 'The machines that run jobs, for every organization.'
            : 'Machines that run jobs of this organization alone. Jobs run on the agents of the installation as well.'
        }
        refused={refused}
      >
        <AddButton name="New agent" opened={making} refused={refused} />
      </SectionHead>
      <AddForm
        name="New agent"
        button="Make its token"
        opened={making}
        action={make}
        refused={refused}
        onSubmit={() => make.mutate(undefined)}
      >
        <TextField
          label="Name"
          hint="What the machine is called, so that it is known again."
          required
          maxLength={200}
          value={name}
          onText={setName}
        />
      </AddForm>
      {make.data && <AgentCommand token={make.data.token} />}
      {refused === undefined && (
        <QueryView query={agents}>{({ items }) => <AgentTable agents={items} organization={organization} />}</QueryView>
      )}
    </>
  )
}

/** What to run on the machine. The token is in the environment, as anybody on the machine can read arguments. */
function AgentCommand({ token }: { readonly token: string }) {
  const command = `ROUNDHOUSE_AGENT_TOKEN=${token} roundhouse agent --server ${window.location.origin}`
  return (
    <div className="secret-once" role="status">
      <p>
        <strong>Run this on the machine.</strong> The token in it is shown this once.
      </p>
      <CopiedText name="Command that starts the agent" text={command} />
    </div>
  )
}

interface TableProps {
  readonly agents: readonly Agent[]
  readonly organization: string | undefined
}

function AgentTable({ agents, organization }: TableProps) {
  return (
    <DataTable
      caption="Agents"
      empty={
        organization === undefined
          ? 'No agent: jobs wait until there is one. Make a token and start an agent with it.'
          : 'No agent of its own: jobs run on the agents of the installation.'
      }
      rows={agents}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Name', cell: (agent) => agent.name },
        {
          name: 'State',
          cell: ({ state, obstacle }) => (
            <Tone tone={states[state].tone}>
              {states[state].name}
              {obstacle !== null && `: ${obstacle}`}
            </Tone>
          ),
        },
        { name: 'Load', cell: (agent) => <Load agent={agent} /> },
        {
          name: 'Runs',
          cell: ({ executors, labels, resource_classes: classes }) => (
            <>
              {[...executors, ...labels].join(', ') || '–'}
              {classes.length > 0 && <small className="soft block">only {classes.join(', ')}</small>}
            </>
          ),
        },
        {
          name: 'Last seen',
          cell: ({ last_seen_at, version }) => (
            <>
              {last_seen_at === null ? 'never' : <When at={last_seen_at} />}
              {version !== null && <small className="soft block">version {version}</small>}
            </>
          ),
        },
        { name: 'Actions', unseen: true, cell: (agent) => <AgentActions agent={agent} /> },
      ]}
    />
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
  const setMode = (mode: Agent['mode']) => () => callRh(setAgentMode, { params: { id: agent.id }, body: { mode } })
  return (
    <>
      {agent.mode === 'working' ? (
        <QuickAction name="Pause" what={agent.name} act={setMode('paused')} />
      ) : (
        <QuickAction name="Resume" what={agent.name} act={setMode('working')} />
      )}
      {agent.mode !== 'draining' && (
        <ConfirmedAction
          name="Drain"
          what={agent.name}
          question={`Drain ${agent.name}? It takes no more jobs and ends when its jobs have.`}
          act={setMode('draining')}
        />
      )}
      <ConfirmedAction
        name="Revoke"
        what={`the token of ${agent.name}`}
        question={`Revoke the token of ${agent.name}? It can come no more, and what it runs is lost.`}
        act={() => callRh(deleteAgentToken, { params: { id: agent.token_id } })}
      />
    </>
  )
}
