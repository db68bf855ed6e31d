import { useAction } from '#web/read/use-action.ts'
import { Trouble } from './trouble.tsx'

interface Props {
  readonly name: string
  /** To what, for those who cannot see the line it stands on. */
  readonly what?: string
  readonly act: () => Promise<unknown>
  readonly refused?: string | undefined
  readonly look?: 'quiet' | 'strong'
}

/** Does something that can be undone or repeated, at once; says why where it cannot. */
export function QuickAction({ name, what, act, refused, look = 'quiet' }: Props) {
  const action = useAction(act)
  return (
    <>
      <button
        type="button"
        className={look}
        aria-label={what === undefined ? undefined : `${name} ${what}`}
        aria-disabled={refused !== undefined}
        title={refused}
        disabled={action.isPending}
        onClick={() => {
          if (refused === undefined) action.mutate(undefined)
        }}
      >
        {name}
      </button>
      <Trouble error={action.error} />
    </>
  )
}
