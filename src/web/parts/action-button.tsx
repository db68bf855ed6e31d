import { useId } from 'react'

interface Props {
  readonly name: string
  /** What will happen. */
  readonly consequence: string
  /** Why it cannot be done now; absent when it can. */
  readonly refused?: string | undefined
  readonly busy?: boolean
  readonly look?: 'strong' | 'danger' | 'quiet' | 'quiet strong'
  readonly act: () => void
}

/** A button that says what it will do, or why it cannot: on hover, and to whoever hears the page. It stays reachable by keyboard. */
export function ActionButton({ name, consequence, refused, busy = false, look, act }: Props) {
  const id = useId()
  const off = refused !== undefined || busy
  return (
    <>
      <button
        type="button"
        className={look}
        title={refused ?? consequence}
        aria-disabled={off}
        aria-describedby={id}
        onClick={() => {
          if (!off) act()
        }}
      >
        {name}
      </button>
      <small id={id} className="unseen">
        {refused ?? consequence}
      </small>
    </>
  )
}
