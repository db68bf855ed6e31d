import { useId } from 'react'

interface Props {
  readonly name: string
  /** What will happen. */
  readonly consequence: string
  /** Why it cannot be done now; absent when it can. */
  readonly refused?: string | undefined
  readonly busy?: boolean
  readonly look?: 'strong' | 'danger'
  readonly act: () => void
}

/** A button that says what it will do, or why it cannot. It stays reachable by keyboard, so that the reason can be heard. */
export function ActionButton({ name, consequence, refused, busy = false, look, act }: Props) {
  const id = useId()
  const off = refused !== undefined || busy
  return (
    <div className="action">
      <button
        type="button"
        className={look}
        aria-disabled={off}
        aria-describedby={id}
        onClick={() => {
          if (!off) act()
        }}
      >
        {name}
      </button>
      <small id={id}>{refused ?? consequence}</small>
    </div>
  )
}
