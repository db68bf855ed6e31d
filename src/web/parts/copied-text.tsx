import { useState } from 'react'

interface Props {
  readonly text: string
  readonly name: string
  /** How it is shown, where the text itself is hard to read. */
  readonly shown?: string
}

/** Something to paste elsewhere, with a button that copies it. */
export function CopiedText({ text, name, shown = text }: Props) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <div className="copied">
      <pre tabIndex={0} aria-label={name}>
        <code>{shown}</code>
      </pre>
      {/* A page that did not come over https, or from this machine, has no clipboard. */}
      {window.isSecureContext && (
        <button type="button" className="quiet" onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy'}
        </button>
      )}
    </div>
  )
}
