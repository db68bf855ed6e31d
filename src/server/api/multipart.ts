import { Refusal } from '#kit/refusal.ts'

/** The fields of a form that is sent in parts, as `curl --form` does; a file is a field whose value is its text. */
export function multipartFields(
  bytes: Buffer,
  contentType: string,
): readonly (readonly [name: string, value: string])[] {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  // Bytes stay bytes until the parts are told apart.
  const whole = bytes.toString('latin1')
  const parts = boundary === undefined ? [] : `\r\n${whole}`.split(`\r\n--${boundary}`)
  if (parts.length < 2 || !parts.at(-1)?.startsWith('--'))
    throw new Refusal('invalid', 'Cannot read the form: its parts have no end')
  return parts.slice(1, -1).map(field)
}

function field(part: string): readonly [string, string] {
  const end = part.indexOf('\r\n\r\n')
  const [, name] = /^content-disposition:[^\r\n]*;\s*name="([^"\r\n]*)"/im.exec(part.slice(0, end)) ?? []
  if (end < 0 || name === undefined) throw new Refusal('invalid', 'Cannot read the form: one of its parts has no name')
  return [text(name), text(part.slice(end + 4))]
}

const text = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')
