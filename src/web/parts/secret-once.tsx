import { CopiedText } from './copied-text.tsx'

/** A secret that was just made: shown this once, with a button that copies it. */
export function SecretOnce({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div className="secret-once" role="status">
      <p>
        <strong>{name}</strong>: shown this once. Copy it now and keep it where only you can read it.
      </p>
      <CopiedText name={name} text={text} />
    </div>
  )
}
