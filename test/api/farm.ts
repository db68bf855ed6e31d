import { agentProtocol, claimJobs, registerAgent } from '#contract/agent.ts'
import { getProject } from '#contract/v2/project.ts'
import { listProjectPipelines, listPipelineWorkflows } from '#contract/v2/pipeline.ts'
import { listWorkflowJobs } from '#contract/v2/workflow.ts'
import { createVariable } from '#contract/v2/variable.ts'
import { newAgent } from '#server/app/agents.ts'
import { join, newPerson } from './people.ts'
import type { Service } from './service.ts'

/** A configuration of version 2, which both generations can run: a build, an approval, and what waits for it. */
export const config = `version: 2
jobs:
  build:
    machine: true
    steps:
      - run: echo built
  deploy:
    machine: true
    steps:
      - run: echo deployed
workflows:
  version: 2
  main:
    jobs:
      - build
      - hold: { type: approval }
      - deploy: { requires: [build, hold] }
`

/** The slug of the farm's project, as generation 2 takes it apart. */
export const slug = { provider: 'provider-a', org: 'acme', repo: 'web' } as const

/** The same as generation 1.1 does. */
export const named = { vcs: 'provider-a', org: 'acme', repo: 'web' } as const

/**
 * A project with one pipeline, and everybody who may come by: its owner, a member and a viewer of its organization,
 * the member of another organization, and an agent that has claimed its first job and does nothing.
 */
export async function openFarm(service: Service) {
  const { world } = service
  const ada = await newPerson(world, 'ada')
  const revision = await service.push('acme/web', { '.service/config.yml': config }, ['main'], ada.token)
  const [member, viewer, stranger] = [
    await newPerson(world, 'max'),
    await newPerson(world, 'vera'),
    await newPerson(world, 'sam'),
  ]
  await join(world, member, 'acme', 'member')
  await join(world, viewer, 'acme', 'viewer')
  await service.push('other/thing', { '.service/config.yml': config }, ['main'], stranger.token)
  const project = await service.call(getProject, { params: slug }, ada.token)
  const workflow = await service.until(async () => {
    const [pipeline] = (await service.call(listProjectPipelines, { params: slug, query: {} }, ada.token)).items
    const found =
      pipeline &&
      (await service.call(listPipelineWorkflows, { params: { pipeline_id: pipeline.id }, query: {} }, ada.token))
    return found?.items[0]
  })
  await service.call(createVariable, { params: slug, body: { name: 'KEY', value: 'a secret value' } }, ada.token)
  const jobs = (await service.call(listWorkflowJobs, { params: { id: workflow.id }, query: {} }, ada.token)).items
  const { token: agent } = await newAgent(world, 'farmhand')
  const instance = world.newId()
  await service.call(
    registerAgent,
    { body: { instance, name: 'farmhand', version: '0', slots: 1, resource_classes: [], protocol: agentProtocol } },
    agent,
  )
  const claimed = await service.call(claimJobs, { body: { instance, free: 10 } }, agent)
  const job = claimed.jobs.find(({ id }) => jobs.some((one) => one.id === id))
  if (!job) throw new Error('Cannot claim the first job')
  return { ada, member, viewer, stranger, project, revision, workflow, jobs, agent, instance, job }
}

export type Farm = Awaited<ReturnType<typeof openFarm>>
