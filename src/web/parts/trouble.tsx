import { said } from '#web/api/said.ts'

/** What went wrong, in the service's own words; nothing where nothing did. */
export function Trouble({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null
  return (
    <p className="trouble" role="alert">
      {said(error)}
    </p>
  )
}
