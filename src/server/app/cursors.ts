import { createHmac, timingSafeEqual } from 'node:crypto'
import { Refusal } from '#kit/refusal.ts'

type Filter = Readonly<Record<string, string | undefined>>

/** Where a page ended, and of which part of its list it was. */
export interface Cursor {
  readonly after: string
  readonly filter: Filter
}

/**
 * The token of a next page: where the last one ended and which list it belongs to, signed, so that it is opaque,
 * carries its own filter, and means the same however many rows came in between.
 */
export function cursors(key: Uint8Array) {
  const sign = (text: string) => createHmac('sha256', key).update('page-token').update(text).digest().subarray(0, 12)
  return {
    write(list: string, page: Cursor): string {
      const text = JSON.stringify([list, page.after, page.filter])
      return Buffer.concat([sign(text), Buffer.from(text)]).toString('base64url')
    },
    /** Refuses any token to a list that is told whole: it never gave one. */
    none(token: string | undefined): void {
      if (token !== undefined && token !== '') throw new Refusal('not-found', 'Not Found')
    },
    /**
     * Where the page before ended, and what was asked for then; nothing for the first page. A token of another list, of another
     * filter than the one that is asked for, or of nobody, finds nothing.
     */
    read(list: string, token: string | undefined, asked: Filter): Cursor | undefined {
      if (token === undefined || token === '') return undefined
      const bytes = Buffer.from(token, 'base64url')
      const text = bytes.subarray(12).toString('utf8')
      if (bytes.length < 13 || !timingSafeEqual(bytes.subarray(0, 12), sign(text)))
        throw new Refusal('not-found', 'Not Found')
      const [of, after, filter] = JSON.parse(text) as [string, string, Filter]
      const differs = Object.entries(asked).some(([name, value]) => value !== undefined && filter[name] !== value)
      if (of !== list || differs) throw new Refusal('not-found', 'Not Found')
      return { after, filter }
    },
  }
}

export type Cursors = ReturnType<typeof cursors>
