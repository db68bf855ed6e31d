import { createHmac, timingSafeEqual } from 'node:crypto'
import { Refusal } from '#kit/refusal.ts'

/**
 * The token of a next page: where the last one ended and which list it belongs to, signed, so that it is opaque,
 * carries its own filter, and means the same however many rows came in between.
 */
export function cursors(key: Uint8Array) {
  const sign = (text: string) => createHmac('sha256', key).update('page-token').update(text).digest().subarray(0, 12)
  return {
    write(list: string, after: string): string {
      const text = JSON.stringify([list, after])
      return Buffer.concat([sign(text), Buffer.from(text)]).toString('base64url')
    },
    /** Where the page before ended; nothing for the first page. A token of another list, or of nobody, finds nothing. */
    read(list: string, token: string | undefined): string | undefined {
      if (token === undefined || token === '') return undefined
      const bytes = Buffer.from(token, 'base64url')
      const text = bytes.subarray(12).toString('utf8')
      if (bytes.length < 13 || !timingSafeEqual(bytes.subarray(0, 12), sign(text))) throw new Refusal('not-found', 'Not Found')
      const [of, after] = JSON.parse(text) as [string, string]
      if (of !== list) throw new Refusal('not-found', 'Not Found')
      return after
    },
  }
}

export type Cursors = ReturnType<typeof cursors>
