import type { ProjectName } from '#server/app/permissions.ts'

/** Generation 1.1 calls the provider `vcs`. */
export const projectName = ({
  vcs,
  org,
  repo,
}: {
  readonly vcs: string
  readonly org: string
  readonly repo: string
}): ProjectName => ({
  provider: vcs,
  org,
  repo,
})
