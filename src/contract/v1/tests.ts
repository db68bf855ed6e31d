import { type Static, Type } from 'typebox'
import { endpoint, Nullable, OneOf } from '#contract/endpoint.ts'
import { testResults } from '#contract/test-result.ts'
import { BuildParams } from './path.ts'

const Text = Nullable(Type.String())

/** The result of one test; `run_time` is in seconds. */
export const TestMetadata = Type.Object({
  message: Text,
  file: Text,
  source: Text,
  source_type: Text,
  run_time: Type.Number(),
  result: OneOf(...testResults),
  name: Type.String(),
  classname: Text,
})
export type TestMetadata = Static<typeof TestMetadata>

export const listTests = endpoint({
  method: 'GET',
  path: '/project/:vcs/:org/:repo/:build_num/tests',
  summary: 'List the test results of a build',
  access: 'project-or-public:view-builds',
  params: BuildParams,
  response: Type.Object({
    tests: Type.Array(TestMetadata),
    /** What could not be read of the results. */
    exceptions: Nullable(Type.Array(Type.Unknown())),
  }),
})
