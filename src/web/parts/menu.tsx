import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'

/** Something that a menu offers. */
export interface Choice {
  readonly name: string
  /** What will happen. */
  readonly consequence: string
  /** Why it cannot be done now; absent when it can. */
  readonly refused?: string | undefined
  readonly act: () => void
}

interface Props {
  readonly name: string
  readonly choices: readonly Choice[]
  readonly busy?: boolean
}

/** A button that opens a list of things to do, each with what it will do, or why it cannot be done. */
export function Menu({ name, choices, busy = false }: Props) {
  const [open, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    if (!open) return
    place.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    const away = (event: Event) => {
      if (event.target instanceof Node && !place.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', away)
    return () => document.removeEventListener('pointerdown', away)
  }, [open])
  const close = () => {
    setOpen(false)
    place.current?.querySelector<HTMLElement>('button')?.focus()
  }
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!open || step === undefined) return
    event.preventDefault()
    const items = [...(place.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = items.findIndex((item) => item === document.activeElement)
    items[(at + step + items.length) % items.length]?.focus()
  }
  return (
    <div className="menu" ref={place} onKeyDown={move}>
      <button
        type="button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        disabled={busy}
        onClick={() => setOpen(!open)}
      >
        {name} <span aria-hidden="true">▾</span>
      </button>
      {open && (
        <div role="menu" id={id} aria-label={name} className="menu-list">
          {choices.map((choice) => (
            <button
              key={choice.name}
              type="button"
              role="menuitem"
              aria-disabled={choice.refused !== undefined}
              onClick={() => {
                if (choice.refused !== undefined) return
                close()
                choice.act()
              }}
            >
              <strong>{choice.name}</strong>
              <small>{choice.refused ?? choice.consequence}</small>
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
