import type { StepSpec } from '#contract/agent.ts'
import { prepareEnvironment } from './prepare-environment.ts'
import { spinUp } from './spin-up.ts'
import type { Work } from './work.ts'
import { enableSsh } from './enable-ssh.ts'
import { waitForSsh } from './wait-for-ssh.ts'
type Doable = Exclude<StepSpec['type'], 'run' | 'deploy'>
type Works = { readonly [T in Doable]?: Work<Extract<StepSpec, { type: T }>> }

/** The steps that the agent does itself, each loaded when it is first needed: most jobs have none of them. */
const works: Works = {
  checkout: async (tools) => (await import('./checkout.ts')).checkout(tools),
  save_cache: async (tools) => (await import('./save-cache.ts')).saveCache(tools),
  restore_cache: async (tools) => (await import('./restore-cache.ts')).restoreCache(tools),
  persist_to_workspace: async (tools) => (await import('./persist-to-workspace.ts')).persistToWorkspace(tools),
  attach_workspace: async (tools) => (await import('./attach-workspace.ts')).attachWorkspace(tools),
  store_artifacts: async (tools) => (await import('./store-artifacts.ts')).storeArtifacts(tools),
  setup_remote_docker: async (tools) => (await import('./setup-remote-docker.ts')).setupRemoteDocker(tools),
  add_ssh_keys: async (tools) => (await import('./add-ssh-keys.ts')).addSshKeys(tools),
  service: async (tools) => (await import('./service.ts')).followService(tools),
  prepare_environment: prepareEnvironment,
  enable_ssh: enableSsh,
  wait_for_ssh: waitForSsh,
  store_test_results: async (tools) => (await import('./store-test-results.ts')).storeTestResults(tools),
  spin_up: spinUp,
}

/** What the agent does for a step of this type; undefined where a command does it. */
export const workFor = (type: StepSpec['type']): Work | undefined => (works as Partial<Record<string, Work>>)[type]

/** Whether a step of this kind is done by the agent and not by a command. */
export const isDoneByAgent = (step: StepSpec): boolean => workFor(step.type) !== undefined
