import { type ComponentProps, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { Opened } from '#web/read/use-opened.ts'
import { ActionForm } from './action-form.tsx'

interface ButtonProps {
  readonly name: string
  readonly opened: Opened
  /** Why it cannot be used; then it is shown, and says so. */
  readonly refused?: string | undefined
}

/** Opens a form that adds something. */
export function AddButton({ name, opened, refused }: ButtonProps) {
  const link = useRef<HTMLAnchorElement>(null)
  const wasOpen = useRef(opened.open)
  useEffect(() => {
    if (wasOpen.current && !opened.open) link.current?.focus()
    wasOpen.current = opened.open
  }, [opened.open])
  if (refused !== undefined)
    return (
      <button type="button" aria-disabled="true" title={refused}>
        {name}
      </button>
    )
  if (opened.open) return null
  return (
    <Link ref={link} className="button strong" to={opened.to} preventScrollReset>
      {name}
    </Link>
  )
}

type FormProps = Omit<ComponentProps<typeof ActionForm>, 'cancel' | 'titled'> & { readonly opened: Opened }

/** A form that adds something: there when it was asked for, with the keyboard in its first field. */
export function AddForm({ opened, ...form }: FormProps) {
  return opened.open && form.refused === undefined ? <OpenForm opened={opened} {...form} /> : null
}

function OpenForm({ opened, ...form }: FormProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), [])
  return (
    <div
      ref={place}
      className="add-form"
      onKeyDown={(event) => {
        if (event.key === 'Escape') opened.close()
      }}
    >
      <ActionForm {...form} titled cancel={opened.away} />
    </div>
  )
}
