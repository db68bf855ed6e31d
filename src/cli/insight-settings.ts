import { minutes, type Prices } from '#core/insights/credits.ts'

/** Prices of resource classes, as they are written in a setting: `medium=10,large=20,*=5`. */
export function readPrices(text: string): Prices {
  const pairs = pairsIn(text).map(([name, price]) => {
    const number = Number(price)
    if (!/^\d+(\.\d+)?$/.test(price) || number > 1_000_000)
      throw new Error('each must be <resource class>=<credits a minute>')
    return [name, number] as const
  })
  const byClass = Object.fromEntries(pairs.filter(([name]) => name !== '*'))
  return { usual: pairs.find(([name]) => name === '*')?.[1] ?? minutes.usual, byClass }
}

/** Headers of a request, as they are written in a setting: `x-key=abc,x-team=ci`. */
export function readHeaders(text: string): Readonly<Record<string, string>> {
  const pairs = pairsIn(text)
  if (pairs.some(([name, value]) => !/^[\w-]+$/.test(name) || !/^[\x20-\x7e]*$/.test(value)))
    throw new Error('each must be <name>=<value>')
  return Object.fromEntries(pairs)
}

function pairsIn(text: string): readonly (readonly [name: string, value: string])[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=')
      if (at < 1) throw new Error('each must be <name>=<value>')
      return [part.slice(0, at).trim(), part.slice(at + 1).trim()] as const
    })
}
