import type { Yard } from './containers.ts'
import type { Puller } from './images.ts'
import type { Limits } from './limits.ts'

/**
 * What `setup_remote_docker` gives to a job: an engine of its own, in a privileged container of this image or as a process that
 * this command starts, or the engine of the agent itself, with which a job can do whatever the agent's machine can do. Nothing
 * unless the operator says so.
 */
export type RemoteDocker =
  | { readonly type: 'none' }
  | { readonly type: 'image'; readonly image: string }
  | { readonly type: 'command'; readonly command: readonly string[] }
  | { readonly type: 'engine' }

/** What all docker jobs of an agent share. */
export interface Dock extends Puller {
  readonly yard: Yard
  /** What the operator says of resource classes. */
  readonly limits: Readonly<Record<string, Limits>>
  readonly remoteDocker: RemoteDocker
  /** What the engine says of itself, asked once. */
  about(): Promise<{ readonly version: string; readonly cpus: number }>
}
