import type { JobSpec, StepSpec } from '#contract/agent.ts'
import { type CloudAuth, credentialsOf } from '#core/image-credentials.ts'
import type { Executor, Image, Step } from '#core/plan.ts'
import { assertNever } from '#kit/brand.ts'
import type { Assignment } from '#server/app/job-details.ts'
import type { Terms } from '#server/app/world.ts'

/** A job in the words of the agent protocol. */
export function jobSpec(
  terms: Terms,
  windows: boolean,
  {
    job,
    node,
    fence,
    token,
    body,
    environment,
    identity,
    secrets,
    timeLimitMs,
    storage,
    savesCaches,
    checkout,
    sshKeys,
  }: Assignment,
): JobSpec {
  return {
    id: job.id,
    fence,
    token,
    name: job.name,
    number: job.number ?? 0,
    node_index: node,
    node_total: job.parallelism,
    executor: executorSpec(body.executor, environment, identity),
    resource_class: job.resource_class,
    environment: { ...environment },
    secrets: [...secrets],
    working_directory: body.workingDirectory,
    ...(body.shell !== undefined && { shell: body.shell }),
    steps: body.steps.map((step) => stepSpec(terms, body.withoutCache ? uncached(step) : step)),
    checkout: {
      url: checkout.url,
      ...(checkout.through !== null && { through: checkout.through }),
      revision: checkout.revision,
      branch: checkout.branch,
      tag: checkout.tag,
      with_job_token: checkout.withJobToken,
      private_key: checkout.privateKey,
      ...(checkout.credential !== null && { credential: checkout.credential }),
    },
    ssh_keys: sshKeys.map(({ privateKey, ...key }) => ({ ...key, private_key: privateKey })),
    time_limit_ms: timeLimitMs,
    storage: {
      most_stored_bytes: storage.mostStoredBytes,
      most_unpacked_bytes: storage.mostUnpackedBytes,
      most_artifact_bytes: storage.mostArtifactBytes,
      saves_caches: savesCaches,
    },
    log: { range_bytes: 1024 * 1024, interval_ms: 50, most_bytes: terms.mostLogBytes, windows },
  }
}

type Variables = Readonly<Record<string, string>>

function executorSpec(executor: Executor, variables: Variables, identity: string | undefined): JobSpec['executor'] {
  switch (executor.type) {
    case 'docker':
      return { type: 'docker', images: executor.images.map((image) => imageSpec(image, variables, identity)) }
    case 'machine':
      return {
        type: 'machine',
        ...(executor.image !== undefined && { image: executor.image }),
        docker_layer_caching: executor.dockerLayerCaching,
      }
    case 'macos':
      return { type: 'macos', xcode: executor.xcode }
    default:
      return assertNever(executor)
  }
}

type ImageSpec = Extract<JobSpec['executor'], { type: 'docker' }>['images'][number]

function imageSpec(given: Image, variables: Variables, identity: string | undefined): ImageSpec {
  const { image, name, entrypoint, command, user, environment } = given
  const credentials = credentialsOf(given, variables, identity)
  return {
    image,
    ...(name !== undefined && { name }),
    ...(entrypoint && { entrypoint: [...entrypoint] }),
    ...(command && { command: [...command] }),
    ...(user !== undefined && { user }),
    environment: Object.fromEntries(environment),
    ...(credentials.type === 'password' && {
      auth: { username: credentials.username, password: credentials.password },
    }),
    ...(credentials.type === 'cloud' && { cloud_auth: cloudAuthSpec(credentials.auth) }),
    ...(credentials.type === 'unusable' && { without_auth: credentials.reason }),
  }
}

function cloudAuthSpec(auth: CloudAuth): ImageSpec['cloud_auth'] & object {
  switch (auth.type) {
    case 'aws-keys':
      return { type: 'aws_keys', access_key_id: auth.accessKeyId, secret_access_key: auth.secretAccessKey }
    case 'aws-role':
      return { type: 'aws_role', role_arn: auth.roleArn, token: auth.token }
    case 'gcp-account': {
      const { account, pool, provider, token } = auth
      return { type: 'gcp_account', account, pool, provider, token }
    }
    default:
      return assertNever(auth)
  }
}

function stepSpec(terms: Terms, step: Step): StepSpec {
  const { name, when } = step
  switch (step.type) {
    case 'spin_up':
    case 'prepare_environment':
    case 'enable_ssh':
      return { type: step.type, name, when }
    case 'service':
      return { type: step.type, name, when, service: step.service, background: true }
    case 'wait_for_ssh':
      return { type: step.type, name, when, idle_ms: terms.sshIdleMs, longest_ms: terms.sshLongestMs }
    case 'run':
    case 'deploy':
      return {
        type: step.type,
        name,
        when,
        command: step.command,
        ...(step.shell !== undefined && { shell: step.shell }),
        environment: Object.fromEntries(step.environment),
        ...(step.workingDirectory !== undefined && { working_directory: step.workingDirectory }),
        background: step.background,
        no_output_timeout_ms: step.noOutputTimeoutMs,
        ...(step.maxAutoReruns !== undefined && { max_auto_reruns: step.maxAutoReruns }),
        ...(step.autoRerunDelayMs !== undefined && { auto_rerun_delay_ms: step.autoRerunDelayMs }),
      }
    case 'checkout':
      return {
        type: 'checkout',
        name,
        when,
        method: step.method,
        ...(step.path !== undefined && { path: step.path }),
        ...(step.depth !== undefined && { depth: step.depth }),
      }
    case 'save_cache':
      return { type: 'save_cache', name, when, key: step.key, paths: [...step.paths] }
    case 'restore_cache':
      return { type: 'restore_cache', name, when, keys: [...step.keys] }
    case 'persist_to_workspace':
      return { type: 'persist_to_workspace', name, when, root: step.root, paths: [...step.paths] }
    case 'attach_workspace':
      return { type: 'attach_workspace', name, when, at: step.at }
    case 'store_artifacts':
      return {
        type: 'store_artifacts',
        name,
        when,
        path: step.path,
        ...(step.destination !== undefined && { destination: step.destination }),
      }
    case 'store_test_results':
      return { type: 'store_test_results', name, when, path: step.path }
    case 'add_ssh_keys':
      return { type: 'add_ssh_keys', name, when, fingerprints: [...step.fingerprints] }
    case 'setup_remote_docker':
      return {
        type: 'setup_remote_docker',
        name,
        when,
        docker_layer_caching: step.dockerLayerCaching,
        ...(step.version !== undefined && { version: step.version }),
      }
    default:
      return assertNever(step)
  }
}

/** A step of a run without caches: it looks for nothing. */
const uncached = (step: Step): Step => (step.type === 'restore_cache' ? { ...step, keys: [] } : step)
