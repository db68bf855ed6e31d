import type { BuildFacts } from './facts.ts'

/** Processors and memory (megabytes) of the resource classes that clients know by name. */
const sizes: Readonly<Record<string, readonly [cpu: number, ram: number]>> = {
  small: [1, 2048],
  medium: [2, 4096],
  'medium+': [3, 6144],
  large: [4, 8192],
  xlarge: [8, 16384],
  '2xlarge': [16, 32768],
  '2xlarge+': [20, 40960],
}

/** On what a build ran, in the words of generation 1.1; nothing of a build that never had a place to run. */
export function machineOf({ job, body }: BuildFacts) {
  if (!body) return null
  const [cpu, ram] = sizes[job.resource_class] ?? [null, null]
  const { executor } = body
  return {
    build_agent: { image: imageOf(body), properties: { executor: executor.type, build_agent: null } },
    resource_class: { cpu, ram, class: job.resource_class },
    executor: executor.type,
  }
}

function imageOf({ executor }: NonNullable<BuildFacts['body']>): string | null {
  switch (executor.type) {
    case 'docker':
      return executor.images[0]?.image ?? null
    case 'machine':
      return executor.image ?? null
    case 'macos':
      return executor.xcode
    default:
      return executor satisfies never
  }
}
