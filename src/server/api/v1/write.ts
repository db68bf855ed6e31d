import { type Manners, readyText } from '#server/api/serve.ts'
import { toEdn } from './edn.ts'
import { formatted } from './formatted.ts'
import { type Form, longText } from './long-list.ts'

/** Answers of generation 1.1: EDN for those who do not say what they accept, compact JSON for those who say exactly JSON, formatted JSON for all others (§9.4). */
export const oldManners: Manners = {
  acceptsForms: true,
  isOpen: true,
  write(request, reply, answer) {
    const form = formFor(request.headers.accept?.trim())
    return reply
      .header('content-type', form === 'edn' ? 'application/edn; charset=utf-8' : json)
      .send(longText(answer, form) ?? textIn(form, answer))
  },
}

const json = 'application/json; charset=utf-8'

function formFor(accept: string | undefined): Form {
  if (accept === undefined || accept === '') return 'edn'
  return accept === 'application/json' ? 'compact' : 'formatted'
}

function textIn(form: Form, answer: unknown): string | Buffer {
  const text = readyText(answer)
  if (form === 'compact') return text ?? JSON.stringify(answer)
  const value: unknown = text === undefined ? answer : JSON.parse(text.toString())
  return form === 'edn' ? toEdn(value) : formatted(value)
}
