import { newHand } from './hand.ts'
import { newPerson } from './people.ts'
import { openService } from './service.ts'

/** A service with one project, acme/web, that ada has pushed, and of which a hand has built the job `build`. */
export async function openAcme(config: string) {
  const service = await openService()
  const ada = await newPerson(service.world, 'ada')
  const hand = await newHand(service)
  await service.push('acme/web', { '.service/config.yml': config }, ['main'], ada.token)
  await hand.play('build', 'success')
  return { service, ada, hand }
}

export type Acme = Awaited<ReturnType<typeof openAcme>>

/** The project of it, as generation 1.1 names it. */
export const acme = { vcs: 'gh', org: 'acme', repo: 'web' }
