import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useAction } from '#web/read/use-action.ts'
import { useOpened } from '#web/read/use-opened.ts'
import { AddButton, AddForm } from './add-form.tsx'
import { ConfirmedAction } from './confirmed-action.tsx'
import { type Column, DataTable } from './data-table.tsx'
import { QueryView } from './query-view.tsx'
import { SecretOnce } from './secret-once.tsx'
import { SectionHead } from './section-head.tsx'
import { TextField } from './text-field.tsx'
import { When } from './when.tsx'

/** What is shown of any token. */
interface Token {
  readonly id: string
  readonly label: string
  /** Masked. */
  readonly token: string
  readonly time: string
}

interface Props<T extends Token> {
  readonly name: string
  readonly about: ReactNode
  readonly tokens: UseQueryResult<readonly T[]>
  /** Whether the reader may see which there are. */
  readonly seen?: boolean
  readonly column?: Column<T>
  readonly make: (label: string) => Promise<{ readonly token: string }>
  readonly revoke: (id: string) => Promise<unknown>
  readonly refused?: string | undefined
  /** What else a new one is asked for. */
  readonly children?: ReactNode
}

/** Tokens that there are, and a form that makes one, which is shown once. */
export function TokenTable<T extends Token>(props: Props<T>) {
  const { name, about, tokens, seen = true, column, make, revoke, refused, children } = props
  const [label, setLabel] = useState('')
  const making = useOpened('token')
  const made = useAction(
    () => make(label),
    () => {
      setLabel('')
      making.close()
    },
  )
  return (
    <>
      <SectionHead name={name} about={about} refused={refused}>
        <AddButton name="New token" opened={making} refused={refused} />
      </SectionHead>
      <AddForm
        name="Make a token"
        button="Make token"
        opened={making}
        action={made}
        refused={refused}
        onSubmit={() => made.mutate(undefined)}
      >
        <div className="form-row">
          <TextField
            label="Label"
            required
            maxLength={200}
            hint="What it is for, so that it is known again."
            value={label}
            onText={setLabel}
          />
          {children}
        </div>
      </AddForm>
      {made.data && <SecretOnce name="New token" text={made.data.token} />}
      {seen && (
        <QueryView query={tokens}>
          {(items) => (
            <DataTable
              caption={name}
              empty="No token yet. One is needed for programs that ask this server: scripts, editors, git."
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { name: 'Label', cell: (token) => token.label },
                { name: 'Token', cell: ({ token }) => <code>{token}</code> },
                ...(column ? [column] : []),
                { name: 'Made', cell: ({ time }) => <When at={time} /> },
                {
                  name: 'Actions',
                  unseen: true,
                  cell: (token) => (
                    <ConfirmedAction
                      name="Revoke"
                      what={token.label}
                      question={`Revoke ${token.label}? Whatever uses it is refused from now on.`}
                      act={() => revoke(token.id)}
                      refused={refused}
                    />
                  ),
                },
              ]}
            />
          )}
        </QueryView>
      )}
    </>
  )
}
