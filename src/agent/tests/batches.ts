import type { storeTests, TestResult } from '#contract/agent/tests.ts'
import type { Input } from '#contract/endpoint.ts'
import type { ParsedTest } from './parsed-test.ts'

/** One batch on its way to the server. */
export type Batch = Input<typeof storeTests>['body']

/** So many tests, or so much text, are sent together: the server takes a few milliseconds for them. */
const mostTests = 250
const mostText = 512 * 1024
/** The same as the contract allows; repeated here so that an agent need not load its validators. */
const mostMessage = 20_000
const mostName = 4_000
const mostOutput = 16_000
const mostProblems = 50

/**
 * Gathers test results into batches and hands each to `send`. The same results make the same batches, whoever gathers them,
 * so that a step which is done again sends what the server can recognize.
 */
export function batches(mask: (text: string) => string, send: (batch: Batch) => Promise<void>) {
  let tests: TestResult[] = []
  let problems: string[] = []
  let bytes = 0
  let text = 0
  let number = 0

  async function flush(): Promise<void> {
    const batch = { batch: number++, tests: masked(mask, tests), bytes, problems: problems.map(mask) }
    tests = []
    problems = []
    bytes = text = 0
    await send(batch)
  }

  return {
    add(source: string, test: ParsedTest): void {
      const one: TestResult = {
        classname: cut(test.classname, mostName),
        name: cut(test.name, mostName),
        file: cut(test.file, mostName),
        source: cut(source, mostName),
        result: test.result,
        message: cutMessage(test.message),
        run_time: test.runTime,
        ...outputOf(mask, test),
      }
      tests.push(one)
      text += one.message.length + (one.output?.length ?? 0) + one.classname.length + one.name.length + one.file.length
    },
    problem(words: string): void {
      if (problems.length < mostProblems) problems.push(cut(words, 900))
    },
    /** Sends what is full; a file may hold more than one batch. */
    async read(more: number): Promise<void> {
      bytes += more
      while (tests.length >= mostTests || text >= mostText) await part()
    },
    /** Sends the rest, also where there is nothing: then the server knows that there was a step. */
    async end(): Promise<void> {
      while (tests.length > mostTests) await part()
      await flush()
    },
  }

  /** A piece of a file can bring more tests than go into one batch. */
  async function part(): Promise<void> {
    const rest = tests.slice(mostTests)
    tests = tests.slice(0, mostTests)
    await flush()
    tests = rest
    text = rest.reduce((sum, one) => sum + one.message.length + (one.output?.length ?? 0), 0)
  }
}

/**
 * What a failed test told beside its message. Masked before it is cut, and cut farther than its reader did: half of a
 * secret, at the border where the reader cut, is recognized by nobody.
 */
function outputOf(mask: (text: string) => string, { result, details = '', printed = '' }: ParsedTest) {
  if (result !== 'failure' && result !== 'error') return {}
  const told = mask(details)
  const said = mask(printed)
  const parts = [
    told.length > mostOutput ? `${told.slice(0, mostOutput)}…` : told,
    said.length > mostOutput ? `…${said.slice(-mostOutput)}` : said,
  ]
  const output = parts.filter((part) => part !== '').join('\n\n')
  return output === '' ? {} : { output: output.replaceAll('\0', '').toWellFormed() }
}

const fields = ['classname', 'name', 'file', 'source', 'message'] as const

/** Masks all texts of a batch in one go: no secret holds the character between them, as no variable can. */
function masked(mask: (text: string) => string, tests: readonly TestResult[]): TestResult[] {
  const whole = tests.flatMap((test) => fields.map((field) => test[field].replaceAll('\0', ''))).join('\0')
  const parts = mask(whole).split('\0')
  return tests.map((test, i) => ({
    ...test,
    ...Object.fromEntries(fields.map((field, j) => [field, parts[i * fields.length + j] ?? ''])),
  }))
}

const cut = (text: string, most: number): string => (text.length > most ? text.slice(0, most) : text).toWellFormed()

const cutMessage = (text: string): string =>
  text.length > mostMessage
    ? `${cut(text, mostMessage)}\n(${text.length - mostMessage} more characters were cut off)`
    : text.toWellFormed()
