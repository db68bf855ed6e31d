import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { addUserSshKey } from '#contract/rh/ssh-keys.ts'
import { rerunWorkflow } from '#contract/v2/workflow.ts'
import { lane } from '#test/lanes.ts'
import { sshPerson } from '#test/scenarios/ssh-client.ts'
import { makeProject, type Project } from './project.ts'
import { scenario } from './scenario.ts'
import { until } from './until.ts'

const config = `version: 2.1
jobs: { only: { machine: true, steps: [run: "echo left > ~/left", run: exit 3] } }
workflows: { ci: { jobs: [only] } }
`

/** How to come in, as the log of a job says it last, once it waits for visitors. */
const addressOf = (project: Project, job: string): Promise<readonly string[]> =>
  until('the job waits for visitors', async () => {
    const { steps } = await project.page(job)
    const log = async (step: string) =>
      project.log(
        job,
        steps.findIndex(({ name }) => name === step),
      )
    if (!steps.some(({ name, status }) => name === 'Wait for SSH' && status === 'running')) return undefined
    const [, port, at] = [...(await log('Enable SSH')).matchAll(/ssh -p (\d+) (\S+)/g)].at(-1) ?? []
    return port === undefined || at === undefined ? undefined : ['-p', port, at]
  })

describe('a job that is open to visitors', { skip: lane('ssh').reason }, () => {
  scenario('stays open when its agent is started again, and is open again at another agent', async (stage) => {
    using me = sshPerson()
    const house = await stage.house()
    await house.start()
    await house.rh(addUserSshKey, { body: { public_key: me.publicKey } })
    const project = await makeProject(house, stage.folder, config)
    const [worker, other] = [await stage.worker(house, 'worker', 1), await stage.worker(house, 'other', 1)]
    worker.start()
    const { id } = await project.trigger()
    const { workflow, jobs } = await project.ended(id)
    await house.v2(rerunWorkflow, { params: { id: workflow.id }, body: { enable_ssh: true, jobs: [jobs[0]!.id] } })
    const current = () =>
      until('the job runs', async () => {
        const runs = await project.runsOf(id)
        return runs.flatMap(({ jobs }) => jobs).find(({ status }) => status === 'running')?.id
      })
    const visit = (address: readonly string[]) =>
      until('a visitor is let in', async () => {
        const { code, out } = await me.run(address, 'cat ~/left')
        return code === 0 ? out : undefined
      })
    const first = await current()
    const address = await addressOf(project, first)
    assert.equal(await visit(address), 'left\n')

    await worker.kill()
    worker.start()
    assert.equal(await visit(address), 'left\n', 'Who comes back must find the same job at the same place')

    // Its agent is missed as soon as a lease is over, and only here does one end that soon.
    await Promise.all([worker.kill(), house.kill()])
    await house.start({ LEASE_SECONDS: '2' })
    await project.takenBack(id)
    other.start()
    const second = await until('another attempt runs', async () => {
      const job = await current()
      return job === first ? undefined : job
    })
    assert.equal(await visit(await addressOf(project, second)), 'left\n')
  })
})
