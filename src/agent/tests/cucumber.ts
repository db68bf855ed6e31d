import { BadResults, type ParsedTest, type ResultsReader } from './parsed-test.ts'

/** JSON is read whole, so that there must be an end. */
const mostText = 20 * 1024 * 1024

type Thing = Readonly<Record<string, unknown>>

/** Reads the JSON of Cucumber: a scenario is a test, its feature the class (C). Any other JSON is refused. */
export function cucumberReader(give: (test: ParsedTest) => void): ResultsReader {
  const pieces: string[] = []
  let size = 0
  return {
    write(piece) {
      size += piece.length
      if (size > mostText) throw new BadResults(`it has more than ${mostText} characters`)
      pieces.push(piece)
    },
    end() {
      const features = parsed(pieces.join(''))
      if (!Array.isArray(features) || !features.every((one) => isThing(one) && Array.isArray(one['elements'])))
        throw new BadResults('it is not a report of Cucumber')
      for (const feature of features as Thing[])
        for (const element of things(feature['elements'])) tell(feature, element)
    },
  }

  function tell(feature: Thing, element: Thing): void {
    if (element['type'] === 'background') return
    const steps = [...things(element['before']), ...things(element['steps']), ...things(element['after'])]
    const results = steps.map(({ result }) => (isThing(result) ? result : {}))
    const failed = results.find(({ status }) => status === 'failed')
    const missed = results.some(({ status }) => status === 'skipped' || status === 'pending' || status === 'undefined')
    give({
      classname: textOf(feature['name']),
      name: textOf(element['name']),
      file: textOf(feature['uri']),
      result: failed ? 'failure' : missed ? 'skipped' : 'success',
      message: textOf(failed?.['error_message']),
      runTime: results.reduce((sum, { duration }) => sum + (typeof duration === 'number' ? duration : 0), 0) / 1e9,
    })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadResults('it is not JSON')
  }
}

const isThing = (value: unknown): value is Thing => typeof value === 'object' && value !== null && !Array.isArray(value)
const things = (value: unknown): readonly Thing[] => (Array.isArray(value) ? value.filter(isThing) : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
