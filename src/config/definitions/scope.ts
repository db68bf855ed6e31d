import type { ExpandedJob } from '#config/expanded-job.ts'
import type { Lookup } from '#config/pipeline/lookup.ts'
import type { Node } from '#config/yaml/node.ts'
import type { Library } from './library.ts'

/** What all of one compilation shares. */
export interface Compilation {
  /** Texts may hold `<< >>`: only since 2.1. */
  readonly templates: boolean
  readonly pipeline: Lookup
  /** Names of pipeline values and parameters, for hints. */
  readonly pipelineNames: () => Iterable<string>
  /** Where the name in an executor argument is to be looked up: where it was written, not where it is used. */
  readonly origins: WeakMap<Node, Library>
  /** Lists of steps that are expanded already, in the scope they were written in. */
  readonly settled: WeakSet<Node>
  /** Jobs expanded without arguments, by their definition: the same wherever they are used. */
  readonly expanded: Map<Node, { readonly library: Library; readonly job: ExpandedJob }>
  /** Work left, in nodes: ends what would grow without bound. */
  readonly budget: { left: number }
}

/** What names mean at one point of a configuration. */
export interface Scope {
  readonly compilation: Compilation
  readonly library: Library
  /** Arguments of the surrounding definition; undefined outside of one. */
  readonly parameters: ReadonlyMap<string, Node> | undefined
  readonly matrix?: ReadonlyMap<string, Node>
  /** Commands that are being expanded, outermost first. */
  readonly calls: readonly Node[]
}

/** What `pipeline.…` means here: an orb does not know the parameters of the configuration that uses it (§A8). */
export function pipelineOf({ compilation, library }: Scope): Lookup {
  if (!library.isOrb) return compilation.pipeline
  return (name) => (name.startsWith('pipeline.parameters.') ? undefined : compilation.pipeline(name))
}

/** More work than any real configuration asks for. */
export const usualBudget = 500_000

/** A compilation grew beyond all bounds. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/** Takes work from the budget; ends the compilation when nothing is left. */
export function spend(compilation: Compilation, nodes: number): void {
  compilation.budget.left -= nodes
  if (compilation.budget.left < 0) throw new TooLarge('Cannot compile configuration: it expands to too many steps')
}
