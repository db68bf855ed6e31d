import { variablesIn } from './exports.ts'
import { substitute } from './env-subst.ts'
import type { Question, Reply } from './mailbox.ts'
import { audienceIn } from './oidc.ts'
import { globTests, runTests, splitTests, type TestSources } from './tests.ts'
import { Wrong } from './wrong.ts'

const usage = `Usage:
  tests glob <pattern>... [!<pattern>...]
  tests split [--split-by=name|filesize|timings] [--timings-type=autodetect|filename|classname|testname]
              [--index=n] [--total=n] [--time-default=10s] [--timings-file=file] [--show-counts] [file...]
  tests run --command=<command> [--split-by=...] [--timings-type=...] [--verbose]
  env subst [text]
  run oidc get [--claims '{"aud": "..."}']
  step halt
  version
`

/** Answers what a step asks by the in-job command (B4, B5). Never rejects: what goes wrong is the command's own error. */
export async function answer(question: Question, sources: TestSources, version: string): Promise<Reply> {
  try {
    return await reply(question, sources, version)
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return { code: 1, err: `Error: ${words}\n${error instanceof Wrong ? usage : ''}` }
  }
}

async function reply(question: Question, sources: TestSources, version: string): Promise<Reply> {
  const [noun = '', verb = ''] = question.args
  if (question.args.some((arg) => arg === '--help' || arg === '-h') || noun === 'help') return { code: 0, out: usage }
  switch (`${noun} ${verb}`.trim()) {
    case 'tests glob':
      return globTests(question, sources)
    case 'tests split':
      return splitTests(question, sources)
    case 'tests run':
      return runTests(question, sources)
    case 'env subst': {
      const text = question.args[2] ?? question.input
      return { code: 0, out: substitute(text, variablesIn(question.exports)) }
    }
    case 'run oidc':
      if (question.args[2] !== 'get') throw new Wrong('unknown command "run oidc": only get is')
      return { code: 0, out: `${await sources.identity(audienceIn(question.args.slice(3)))}\n` }
    case 'run release':
      // Known, so that a configuration which marks its releases goes on; there is nobody here who would keep the mark.
      return { code: 0, err: 'Releases are not tracked here: nothing was marked\n' }
    case 'version':
    case '--version':
      return { code: 0, out: `${version}\n` }
    default:
      throw new Wrong(`unknown command "${[noun, verb].join(' ').trim().slice(0, 100)}"`)
  }
}
