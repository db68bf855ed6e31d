import type { Standing } from '#server/app/builds/standing.ts'

const looks: Readonly<Record<'passing' | 'failing' | 'canceled' | 'running' | 'no builds', string>> = {
  passing: '#3fb950',
  failing: '#d1242f',
  canceled: '#8a8a8a',
  running: '#388bfd',
  'no builds': '#8a8a8a',
}

function wordOf({ last, isRunning }: Standing): keyof typeof looks {
  switch (last) {
    case 'success':
      return 'passing'
    case 'failed':
      return 'failing'
    case 'canceled':
      return 'canceled'
    case undefined:
      return isRunning ? 'running' : 'no builds'
    default:
      return last satisfies never
  }
}

/** As wide as a letter is on average in the small letters of a badge. */
const letter = 6.5
const widthOf = (text: string): number => Math.ceil(text.length * letter) + 10

const label = 'build'

/** A picture of how a branch stands: two words on a strip, readable without its colours. */
export function badge(standing: Standing): string {
  const word = wordOf(standing)
  const [left, right] = [widthOf(label), widthOf(word)]
  const all = left + right
  const text = (at: number, value: string) =>
    `<text x="${at}" y="14" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" fill="#fff">${value}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${all}" height="20" role="img" aria-label="${label}: ${word}">`,
    `<title>${label}: ${word}</title>`,
    `<clipPath id="r"><rect width="${all}" height="20" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#343434"/>`,
    `<rect x="${left}" width="${right}" height="20" fill="${looks[word]}"/></g>`,
    text(left / 2, label),
    text(left + right / 2, word),
    '</svg>',
  ].join('')
}
