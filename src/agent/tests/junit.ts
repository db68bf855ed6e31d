import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { BadResults, type ParsedTest, type ResultsReader, secondsOf } from './parsed-test.ts'

/** A text, an attribute or a comment longer than this is no test result, and would be held whole in memory. */
const mostInOne = 16 * 1024 * 1024
const mostDeep = 100
const mostAttributes = 500
/** Of a failure that says nothing in its attribute. */
const mostText = 1024 * 1024
/** Of what a test printed, and of the text of a failure that also has a message. */
const mostOutput = 64 * 1024

/** How bad each is: the worst that a test case tells of itself counts. */
const badness = { success: 0, skipped: 1, error: 2, failure: 3 } as const

interface Case {
  readonly attributes: Readonly<Record<string, string>>
  readonly file: string
  result: ParsedTest['result']
  message: string
  details: string
  printed: string
}

/**
 * Reads JUnit XML as it comes and gives each test case when it has ended. Test cases count only inside of a `testsuite` (C).
 * No document type is looked at and no entity but the five of XML is known, so nothing can be fetched, and nothing grows.
 */
export function junitReader(give: (test: ParsedTest) => void): ResultsReader {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false })
  const open: string[] = []
  const files: string[] = []
  let current: Case | undefined
  /** The text of the element that is open, and where it goes. */
  let text: string | undefined
  let goes: 'failure' | 'printed' = 'failure'
  let attributes = 0
  let quiet = 0

  const heard = () => void (quiet = 0)
  const hear = (more: string) => {
    heard()
    if (text === undefined) return
    // A failure is told from its beginning, output to its end.
    if (goes === 'printed') text = (text + more).slice(-mostOutput)
    else if (text.length < mostText) text += more
  }

  parser.on('doctype', heard)
  parser.on('comment', heard)
  parser.on('cdata', hear)
  parser.on('attribute', () => {
    heard()
    if (++attributes > mostAttributes) throw new BadResults(`an element has more than ${mostAttributes} attributes`)
  })
  parser.on('opentag', (tag) => {
    heard()
    attributes = 0
    begin(tag)
  })
  parser.on('closetag', (tag) => {
    heard()
    end(localName(tag.name))
  })

  function begin(tag: SaxesTagPlain): void {
    const name = localName(tag.name)
    if (open.length === 0 && name !== 'testsuite' && name !== 'testsuites')
      throw new BadResults(`the root element must be testsuites or testsuite: it is ${name.slice(0, 100)}`)
    if (open.length >= mostDeep) throw new BadResults(`elements lie more than ${mostDeep} deep in each other`)
    const parent = open.at(-1)
    open.push(name)
    if (name === 'testsuite') files.push(tag.attributes['file'] ?? files.at(-1) ?? '')
    else if (name === 'testcase' && parent === 'testsuite')
      current = {
        attributes: tag.attributes,
        file: files.at(-1) ?? '',
        result: 'success',
        message: '',
        details: '',
        printed: '',
      }
    else if (current && parent === 'testcase' && (name === 'failure' || name === 'error' || name === 'skipped')) {
      if (badness[name] <= badness[current.result]) return
      current.result = name
      current.message = tag.attributes['message'] ?? ''
      current.details = ''
      listen('failure')
    } else if (current && parent === 'testcase' && (name === 'system-out' || name === 'system-err')) listen('printed')
  }

  function listen(to: typeof goes): void {
    text = ''
    goes = to
    parser.on('text', hear)
  }

  function end(name: string): void {
    open.pop()
    if (name === 'testsuite') files.pop()
    if (!current || open.includes('testcase')) {
      if (current && text !== undefined && open.at(-1) === 'testcase') endText(current)
      return
    }
    if (name !== 'testcase') return
    const { attributes: told, result, message, file, details, printed } = current
    give({
      classname: told['classname'] ?? told['class'] ?? '',
      name: told['name'] ?? '',
      file: told['file'] ?? file,
      result,
      message,
      runTime: secondsOf(told['time'] ?? ''),
      ...(details !== '' && { details }),
      ...(printed !== '' && isBad(result) && { printed }),
    })
    current = undefined
  }

  function endText(of: Case): void {
    const told = (text ?? '').trim()
    if (goes === 'printed') of.printed = [of.printed, told].filter((part) => part !== '').join('\n')
    else if (of.message === '') of.message = told
    // Some write the message at the beginning of the text too.
    else if (told !== of.message) of.details = told.slice(0, mostOutput)
    text = undefined
    // Without a listener text is not even kept: what tests print may be large.
    parser.off('text')
  }

  const reading = (read: () => void) => {
    try {
      read()
    } catch (error) {
      if (error instanceof BadResults) throw error
      throw new BadResults(error instanceof Error ? error.message : String(error))
    }
  }

  return {
    write: (piece) =>
      reading(() => {
        quiet += piece.length
        parser.write(piece)
        if (quiet > mostInOne) throw new BadResults(`a text is longer than ${mostInOne} characters`)
      }),
    end: () =>
      reading(() => {
        parser.close()
      }),
  }
}

const isBad = (result: ParsedTest['result']): boolean => result === 'failure' || result === 'error'

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
