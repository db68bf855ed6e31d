import { useParams } from 'react-router'
import type { Slug } from '#web/address.ts'

/** The project that the address of this page names. */
export function useSlug(): Slug {
  const { provider = '', org = '', repo = '' } = useParams()
  return { provider, org, repo }
}
