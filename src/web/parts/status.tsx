import type { ReactNode } from 'react'
import { statusLook, type StatusWord, type Tone } from '#web/status-look.ts'

const shapes: Readonly<Record<Tone, ReactNode>> = {
  good: (
    <>
      <circle className="shape" cx="8" cy="8" r="7" />
      <path className="sign" d="M4.8 8.3l2.2 2.2 4.2-4.8" />
    </>
  ),
  bad: (
    <>
      <path className="shape" d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" />
      <path className="sign" d="M5.5 5.5l5 5m0-5l-5 5" />
    </>
  ),
  busy: (
    <>
      <circle className="ring" cx="8" cy="8" r="6" />
      <path className="arc" d="M8 2a6 6 0 0 1 6 6" />
    </>
  ),
  hold: (
    <>
      <path className="shape" d="M8 .5L15.5 8 8 15.5.5 8z" />
      <path className="sign" d="M6.5 5.7v4.6m3-4.6v4.6" />
    </>
  ),
  wait: (
    <>
      <circle className="ring" cx="8" cy="8" r="6" strokeDasharray="2.5 2.2" />
      <path className="hand" d="M8 5v3l2 1.5" />
    </>
  ),
  stop: (
    <>
      <rect className="shape" x="1.5" y="1.5" width="13" height="13" rx="2" />
      <path className="sign" d="M4.5 8h7" />
    </>
  ),
  idle: (
    <>
      <circle className="ring" cx="8" cy="8" r="6" />
      <path className="hand" d="M5 8h6" />
    </>
  ),
}

interface Props {
  readonly status: StatusWord
  /** Instead of the usual word. */
  readonly label?: string
}

/** A status: a shape, a colour and a word, so that no reader depends on one of them. */
export function Status({ status, label }: Props) {
  const { tone, label: usual } = statusLook[status]
  return (
    <span className={`status ${tone}`}>
      <StatusShape status={status} />
      {label ?? usual}
    </span>
  )
}

/** The shape alone, where the word stands beside it. */
export function StatusShape({ status }: { readonly status: StatusWord }) {
  return <ToneShape tone={statusLook[status].tone} />
}

/** The shape of a tone. */
export function ToneShape({ tone }: { readonly tone: Tone }) {
  return (
    <svg className={`status-shape ${tone}`} viewBox="0 0 16 16" aria-hidden="true">
      {shapes[tone]}
    </svg>
  )
}
