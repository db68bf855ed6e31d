import { type Static, Type } from 'typebox'
import { endpoint, OneOf, Uuid } from '#contract/endpoint.ts'
import { testResults } from '#contract/test-result.ts'

/*
 * What a job tells of its tests, and what it is told of those before it, with the token of the job.
 *
 * Results come in numbered batches, made anew in the same way by every process that does the step: a batch that the server
 * has is not kept twice. Everything in them is masked by the agent.
 */

/** More than this in one of the fields is cut off by the agent. */
export const mostTestText = { message: 20_000, name: 4_000, output: 33_000 } as const

const Name = Type.String({ maxLength: mostTestText.name })

/** The result of one test; what is not known is empty, and `run_time` is in seconds. */
export const TestResult = Type.Object({
  classname: Name,
  name: Name,
  file: Name,
  source: Name,
  result: OneOf(...testResults),
  message: Type.String({ maxLength: mostTestText.message + 100 }),
  run_time: Type.Number({ minimum: 0 }),
  /** Of one that failed: the text of its failure, where it has a message beside it, and what it printed. */
  output: Type.Optional(Type.String({ maxLength: mostTestText.output })),
})
export type TestResult = Static<typeof TestResult>

export const storeTests = endpoint({
  method: 'POST',
  path: '/agent/job/:id/step/:index/tests',
  summary: 'Keep the results of tests; batches are numbered from 0',
  access: 'job',
  params: Type.Object({ id: Uuid, index: Type.Integer({ minimum: 0 }) }),
  body: Type.Object({
    batch: Type.Integer({ minimum: 0 }),
    tests: Type.Array(TestResult, { maxItems: 1000 }),
    /** Bytes of the files that were read since the batch before. */
    bytes: Type.Integer({ minimum: 0 }),
    /** What could not be read since then, for a person. */
    problems: Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 100 }),
  }),
  /** How many batches there are now: another number than that of the batch and one more means that it was not wanted. */
  response: Type.Object({ batches: Type.Integer() }),
})

/** By what tests are put together when they are split among nodes. */
export const timingTypes = ['filename', 'classname', 'testname'] as const

const Seconds = Type.Record(Type.String(), Type.Number())

/** What the tests of this job took when they were last run, in seconds; only the types that were asked for. */
export const Timings = Type.Object({
  filename: Type.Optional(Seconds),
  classname: Type.Optional(Seconds),
  testname: Type.Optional(Seconds),
})
export type Timings = Static<typeof Timings>

export const readTimings = endpoint({
  method: 'GET',
  path: '/agent/job/:id/timings',
  summary: 'Read how long the tests of this job took when they were last run',
  access: 'job',
  params: Type.Object({ id: Uuid }),
  /** `autodetect`: by file and by class. */
  query: Type.Object({ type: OneOf('autodetect', ...timingTypes) }),
  response: Timings,
})

export const readFailedTests = endpoint({
  method: 'GET',
  path: '/agent/job/:id/failed-tests',
  summary: 'Read which tests this job is to run, where it runs only those that failed before',
  access: 'job',
  params: Type.Object({ id: Uuid }),
  response: Type.Object({
    /** False: all of them. */
    only_failed: Type.Boolean(),
    tests: Type.Array(Type.Object({ file: Type.String(), classname: Type.String(), name: Type.String() })),
  }),
})

export const readQuarantine = endpoint({
  method: 'GET',
  path: '/agent/job/:id/quarantine',
  summary:
    'Read which files, classes and names of tests may be left out, as all that is known in them is in quarantine',
  access: 'job',
  params: Type.Object({ id: Uuid }),
  response: Type.Object({
    filename: Type.Array(Type.String()),
    classname: Type.Array(Type.String()),
    testname: Type.Array(Type.String()),
  }),
})
