import type { FastifyInstance } from 'fastify'
import { isUuid } from '#kit/uuid.ts'
import { Refusal } from '#kit/refusal.ts'
import type { App } from '#server/app/app.ts'
import { identityKeyOf, issuerOf } from '#server/app/job-identity.ts'

/** What others need in order to believe the tokens of jobs: OpenID discovery, with an issuer for each organization. */
export function serveIdentity(http: FastifyInstance, { world }: App): void {
  http.get<{ Params: { organization: string } }>(
    '/org/:organization/.well-known/openid-configuration',
    async (request) => {
      const issuer = issuerOf(world, known(request.params.organization))
      return {
        issuer,
        jwks_uri: `${issuer}/.well-known/jwks-pub.json`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
        claims_supported: ['aud', 'sub', 'iss', 'iat', 'exp'],
      }
    },
  )
  http.get<{ Params: { organization: string } }>('/org/:organization/.well-known/jwks-pub.json', async (request) => {
    known(request.params.organization)
    return { keys: [identityKeyOf(world).published] }
  })
}

/** Whether there is such an organization is not told. */
function known(id: string): string {
  if (!isUuid(id)) throw new Refusal('not-found', 'Organization not found.')
  return id
}
