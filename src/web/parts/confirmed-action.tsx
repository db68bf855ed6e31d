import { useAction } from '#web/read/use-action.ts'
import { ConfirmButton } from './confirm-button.tsx'

interface Props {
  readonly name?: string
  /** To what, for those who cannot see the line it stands on. */
  readonly what: string
  readonly question: string
  readonly act: () => Promise<unknown>
  readonly refused?: string | undefined
}

/** Does something that cannot be undone, at the end of a row, once it was asked. */
export function ConfirmedAction({ name = 'Delete', what, question, act, refused }: Props) {
  const action = useAction(act)
  return (
    <ConfirmButton
      name={name}
      what={what}
      question={question}
      action={{ ...action, mutate: () => action.mutate(undefined) }}
      refused={refused}
    />
  )
}
