import { callers } from './callers.ts'
import { commits } from './commits.ts'
import { pipelineCompiler } from './compile-pipeline.ts'
import { cursors } from './cursors.ts'
import { insightsOf } from './insights/ask.ts'
import { jobBodies } from './job-details.ts'
import { receivers } from './open-receivers.ts'
import { lineCounts } from './line-counts.ts'
import { revisions } from './revisions.ts'
import { testTimings } from './test-timings.ts'
import { signInLimits } from './sign-in-limits.ts'
import type { World } from './world.ts'

/** The use cases' common ground: the world, and what they remember of it so as not to ask twice. */
export function openApp(world: World) {
  const findRevision = revisions(world)
  return {
    world,
    callers: callers(world),
    cursors: cursors(world.signingKey),
    findRevision,
    findCommits: commits(world, findRevision),
    bodyOf: jobBodies(world.db),
    timings: testTimings(world),
    insights: insightsOf(world),
    signIns: signInLimits(),
    receivers: receivers(world),
    lineCounts: lineCounts(world),
    /** The pushes that this server is serving. */
    pushing: new Set<string>(),
    ...pipelineCompiler(world, findRevision),
  } as const
}

export type App = ReturnType<typeof openApp>
