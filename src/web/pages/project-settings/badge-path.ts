import type { Slug } from '#web/address.ts'

/** Where the picture of a branch lies, or of the default branch where none is named. */
export function badgePath({ provider, org, repo }: Slug, branch: string): string {
  const project = [provider, org, repo].map(encodeURIComponent).join('/')
  return branch === ''
    ? `/${project}.svg`
    : `/${project}/tree/${branch.split('/').map(encodeURIComponent).join('/')}.svg`
}
