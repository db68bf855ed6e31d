import { type Manners, readyText } from '#server/api/serve.ts'
import { toEdn } from './edn.ts'

/** Answers of generation 1.1: EDN for those who do not say what they accept, compact JSON for those who say exactly JSON, formatted JSON for all others (§9.4). */
export const oldManners: Manners = {
  acceptsForms: true,
  write(request, reply, answer) {
    const { type, text } = inForm(request.headers.accept, answer)
    return reply.header('content-type', type).send(text)
  },
}

const json = 'application/json; charset=utf-8'

function inForm(accept: string | undefined, answer: unknown): { readonly type: string; readonly text: string } {
  const text = readyText(answer)
  if (accept?.trim() === 'application/json') return { type: json, text: text ?? JSON.stringify(answer) }
  const value: unknown = text === undefined ? answer : JSON.parse(text)
  if (accept === undefined || accept.trim() === '')
    return { type: 'application/edn; charset=utf-8', text: toEdn(value) }
  return { type: json, text: JSON.stringify(value, undefined, 2) }
}
