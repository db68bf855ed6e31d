import { type Static, Type } from 'typebox'
import { endpoint, Nullable, OneOf, Uuid } from './endpoint.ts'

/*
 * What agent and server say to each other, always from agent to server, below /api/rh/v1.
 *
 * An agent registers with its own token, waits for jobs (`claim`), and keeps them by heartbeats. Each claimed job comes with
 * a token of its own and a fence: the number of times this job has been handed out. Everything said about a job carries both
 * (the token holds the fence); when the lease has ended the token is dead and the answer is 401, or 409 where somebody else has the job.
 * Everything may be repeated: the second time changes nothing.
 * A job with several nodes is handed out node by node: each has a token, a fence, steps, logs and an end of its own.
 */

/** Which words of this protocol somebody speaks; raised when an agent and a server of before could not work together any more. */
export const agentProtocol = 3

const Words = Type.Record(Type.String(), Type.String())
const When = OneOf('on_success', 'on_fail', 'always')
const common = { name: Type.String(), when: When }

const RunStep = Type.Object({
  type: OneOf('run', 'deploy'),
  ...common,
  command: Type.String(),
  shell: Type.Optional(Type.String()),
  environment: Words,
  working_directory: Type.Optional(Type.String()),
  background: Type.Boolean(),
  no_output_timeout_ms: Type.Integer(),
  max_auto_reruns: Type.Optional(Type.Integer()),
  auto_rerun_delay_ms: Type.Optional(Type.Integer()),
})

/** One step of a job, resolved to the last word. */
export const StepSpec = Type.Union([
  /** Makes the place ready; without it, that is done before the first step and nobody is told. Always the first. */
  Type.Object({ type: Type.Literal('spin_up'), ...common }),
  /** Shows what the container of an image after the first prints, while the others run. */
  Type.Object({
    type: Type.Literal('service'),
    ...common,
    service: Type.Integer({ minimum: 1 }),
    background: Type.Literal(true),
  }),
  Type.Object({ type: Type.Literal('prepare_environment'), ...common }),
  Type.Object({ type: Type.Literal('enable_ssh'), ...common }),
  /** Ends when nobody has been there for `idle_ms`, and after `longest_ms` in any case. */
  Type.Object({
    type: Type.Literal('wait_for_ssh'),
    ...common,
    idle_ms: Type.Integer(),
    longest_ms: Type.Integer(),
  }),
  RunStep,
  Type.Object({
    type: Type.Literal('checkout'),
    ...common,
    path: Type.Optional(Type.String()),
    method: OneOf('full', 'blobless', 'shallow'),
    depth: Type.Optional(Type.Integer()),
  }),
  Type.Object({ type: Type.Literal('save_cache'), ...common, key: Type.String(), paths: Type.Array(Type.String()) }),
  Type.Object({ type: Type.Literal('restore_cache'), ...common, keys: Type.Array(Type.String()) }),
  Type.Object({
    type: Type.Literal('persist_to_workspace'),
    ...common,
    root: Type.String(),
    paths: Type.Array(Type.String()),
  }),
  Type.Object({ type: Type.Literal('attach_workspace'), ...common, at: Type.String() }),
  Type.Object({
    type: Type.Literal('store_artifacts'),
    ...common,
    path: Type.String(),
    destination: Type.Optional(Type.String()),
  }),
  Type.Object({ type: Type.Literal('store_test_results'), ...common, path: Type.String() }),
  Type.Object({ type: Type.Literal('add_ssh_keys'), ...common, fingerprints: Type.Array(Type.String()) }),
  Type.Object({
    type: Type.Literal('setup_remote_docker'),
    ...common,
    version: Type.Optional(Type.String()),
    docker_layer_caching: Type.Boolean(),
  }),
])
export type StepSpec = Static<typeof StepSpec>

/** What a cloud gives credentials for its registry in return for; the identity token is the job's own. */
const CloudAuth = Type.Union([
  Type.Object({ type: Type.Literal('aws_keys'), access_key_id: Type.String(), secret_access_key: Type.String() }),
  Type.Object({ type: Type.Literal('aws_role'), role_arn: Type.String(), token: Type.String() }),
  Type.Object({
    type: Type.Literal('gcp_account'),
    account: Type.String(),
    pool: Type.String(),
    provider: Type.String(),
    token: Type.String(),
  }),
])

const Image = Type.Object({
  image: Type.String(),
  name: Type.Optional(Type.String()),
  entrypoint: Type.Optional(Type.Array(Type.String())),
  command: Type.Optional(Type.Array(Type.String())),
  user: Type.Optional(Type.String()),
  environment: Words,
  auth: Type.Optional(Type.Object({ username: Type.String(), password: Type.String() })),
  cloud_auth: Type.Optional(CloudAuth),
  /** Why it is pulled without the credentials that its configuration has, in words for the log. */
  without_auth: Type.Optional(Type.String()),
})

/** A job, or one node of it, compiled to the last word: an agent needs no YAML, no rules and no second question. */
export const JobSpec = Type.Object({
  id: Uuid,
  /** How many times this job has been handed out, this time included; never the same for two of its nodes. */
  fence: Type.Integer(),
  /** Opens this job only, until its lease ends. */
  token: Type.String(),
  name: Type.String(),
  number: Type.Integer(),
  node_index: Type.Integer(),
  node_total: Type.Integer(),
  executor: Type.Union([
    Type.Object({ type: Type.Literal('docker'), images: Type.Array(Image) }),
    Type.Object({
      type: Type.Literal('machine'),
      image: Type.Optional(Type.String()),
      docker_layer_caching: Type.Boolean(),
    }),
    Type.Object({ type: Type.Literal('macos'), xcode: Type.String() }),
  ]),
  resource_class: Type.String(),
  /** Everything but what only the agent knows (HOME, BASH_ENV, the resolved working directory): built-in, project, context and job variables, merged. */
  environment: Words,
  /** Values that must never appear in a log. */
  secrets: Type.Array(Type.String()),
  /** As configured: `~/project`. */
  working_directory: Type.String(),
  shell: Type.Optional(Type.String()),
  steps: Type.Array(StepSpec),
  checkout: Type.Object({
    /** Without credentials. */
    url: Type.String(),
    /** Where the job token opens the same repository over HTTP, and the credential does for the steps, if it is closed at `url`: the server reads it there with what the project has. */
    through: Type.Optional(Type.Object({ url: Type.String(), credential: Type.String() })),
    revision: Type.String(),
    branch: Nullable(Type.String()),
    tag: Nullable(Type.String()),
    /** The job token opens the repository at `url` over HTTP (the built-in git host). */
    with_job_token: Type.Boolean(),
    /** A private key in OpenSSH form that opens the repository at `url`. */
    private_key: Nullable(Type.String()),
    /** What opens the repository at `url` for the steps, over HTTP, until the lease ends; never `token`, which would let them speak for the agent. */
    credential: Type.Optional(Type.String()),
  }),
  /** Keys for other hosts, where a step of the job asks for them; an empty host name means any. */
  ssh_keys: Type.Array(
    Type.Object({
      hostname: Type.String(),
      md5: Type.String(),
      sha256: Type.String(),
      private_key: Type.String(),
    }),
  ),
  time_limit_ms: Type.Integer(),
  /** What may be kept of its files. */
  storage: Type.Object({
    /** Of caches and workspaces, packed and unpacked, and of one artifact. */
    most_stored_bytes: Type.Integer(),
    most_unpacked_bytes: Type.Integer(),
    most_artifact_bytes: Type.Integer(),
    /** False for code that nobody of the project has looked at: it may read caches, and leaves none. */
    saves_caches: Type.Boolean(),
  }),
  /** How logs are wanted: at most so many bytes a request, and so often while somebody may be looking. */
  log: Type.Object({
    range_bytes: Type.Integer(),
    interval_ms: Type.Integer(),
    /** So many bytes of what one step prints are kept; all where nothing is said. */
    most_bytes: Type.Optional(Type.Integer()),
    /** The server sees the agent's files: what needs no masking may be shown to it (`showLog`) instead of sent. */
    windows: Type.Boolean(),
  }),
})
export type JobSpec = Static<typeof JobSpec>

/** What an agent can have: executors, and the processor `arm`. */
export const agentExecutors = ['docker', 'machine', 'macos', 'windows', 'arm'] as const

const Lease = Type.Object({ job: Uuid, fence: Type.Integer() })

export const registerAgent = endpoint({
  method: 'POST',
  path: '/agent/register',
  summary:
    'Begin to work as the agent of this token; an earlier process of the same token is replaced; one that speaks another protocol is refused',
  access: 'agent',
  body: Type.Object({
    /** Made anew by each process of the agent; later requests name it, and a replaced one is refused with 409. */
    instance: Uuid,
    /** As before unless said, and at first as its token. */
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    version: Type.String({ maxLength: 50 }),
    slots: Type.Integer({ minimum: 1, maximum: 1000 }),
    /** Empty: any. */
    resource_classes: Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 }),
    /** What jobs may ask for behind their resource class: `large@gpu,ssd`. */
    labels: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 })),
    /** What it can run; docker and machine unless said. */
    executors: Type.Optional(Type.Array(OneOf(...agentExecutors), { maxItems: 10 })),
    /** The first one unless said. */
    protocol: Type.Optional(Type.Integer({ minimum: 0 })),
    /** Jobs that it goes on with. Whatever else was handed to this agent never reached it, and goes to another; unless said, nobody knows. */
    leases: Type.Optional(Type.Array(Lease, { maxItems: 1000 })),
  }),
  response: Type.Object({
    agent_id: Uuid,
    /** How it is called from now on. */
    name: Type.String(),
    /** A lease that is not renewed for this long is lost: the agent must have stopped the job by then. */
    lease_ms: Type.Integer(),
    /** The same for a job that was claimed and not yet named in a heartbeat. */
    accept_ms: Type.Integer(),
    /** How long the server holds a heartbeat or a claim open. */
    hold_ms: Type.Integer(),
  }),
})

export const claimJobs = endpoint({
  method: 'POST',
  path: '/agent/claim',
  summary: 'Wait for up to `free` jobs; answered as soon as there is one',
  access: 'agent',
  body: Type.Object({
    instance: Uuid,
    free: Type.Integer({ minimum: 1, maximum: 1000 }),
    /** All jobs that it has. What else was handed to it before a server died was never heard; unless said, nobody knows. */
    leases: Type.Optional(Type.Array(Lease, { maxItems: 1000 })),
    /** Why it can take none for now, in words for people: then it is answered at once, and given none. */
    obstacle: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  }),
  response: Type.Object({
    jobs: Type.Array(JobSpec),
    /** Somebody wants this agent to end: it claims no more, and ends when its jobs have. */
    drain: Type.Optional(Type.Boolean()),
  }),
})

export const heartbeat = endpoint({
  method: 'POST',
  path: '/agent/heartbeat',
  summary: 'Keep the named leases; held open, and answered at once when a job of this agent must stop',
  access: 'agent',
  body: Type.Object({
    instance: Uuid,
    leases: Type.Array(Lease, { maxItems: 1000 }),
    /** It was asked to end where it runs, and takes no more jobs. */
    draining: Type.Optional(Type.Boolean()),
  }),
  response: Type.Object({
    /** To be stopped: canceled by somebody. Named again until the job is finished. */
    cancel: Type.Array(Lease),
    /** No longer this agent's: stop them, report nothing. */
    lost: Type.Array(Lease),
  }),
})
