import { agentProtocol, claimJobs, registerAgent } from '#contract/agent.ts'
import { prefixes } from '#contract/catalog.ts'
import { client } from '#contract/client.ts'
import { createAgentToken } from '#contract/rh/agents.ts'
import { uuidv7 } from '#kit/uuid.ts'
import type { House } from './house.ts'

/** Registers as an agent that takes one job and never speaks of it. Waiting for the job goes on: the answer says how many there were. */
export async function silentAgent(house: House): Promise<{ readonly claimed: Promise<number> }> {
  const { token } = await house.rh(createAgentToken, { body: { name: 'silent' } })
  const call = client(house.url + prefixes.rh, token)
  const instance = uuidv7()
  await call(registerAgent, {
    body: { instance, name: 'silent', version: '0', slots: 1, resource_classes: [], protocol: agentProtocol },
  })
  const claimed = call(claimJobs, { body: { instance, free: 1 } }).then(({ jobs }) => jobs.length)
  return { claimed }
}
