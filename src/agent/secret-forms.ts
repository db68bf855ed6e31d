/** Words that are too common to be hidden, whatever they are the value of (B6). */
const common = new Set(['true', 'True', 'false', 'False'])

/** A line of a value of several lines is hidden by itself from this length on: keys are printed line by line. */
const longLine = 16

/** Whether a value is hidden at all: a short or a common one would hide half of every log. */
export const isMaskable = (secret: string): boolean => secret.length >= 4 && !common.has(secret)

/** Everything that must not appear in a log: the values themselves and the ways in which programs write them. */
export function formsOf(secrets: readonly string[]): readonly Buffer[] {
  // Told apart as texts: bytes of each, of which most are the same, were 50 KB for every job that has tokens of its own.
  const forms = new Set<string>()
  for (const secret of secrets) {
    if (!isMaskable(secret)) continue
    for (const form of [
      secret,
      ...escapedForms(secret),
      ...linesOf(secret),
      ...base64Forms(secret),
      ...hexForms(secret),
    ]) {
      forms.add(form.toWellFormed())
    }
  }
  return Array.from(forms, (form) => Buffer.from(form)).filter(({ length }) => length >= 4)
}

function escapedForms(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  return [
    ...urlForms(secret),
    json,
    json.replaceAll('/', '\\/'),
    json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ...shellForms(secret),
    htmlOf(secret),
  ]
}

/** As `set -x` and `printf %q` write it. */
const shellForms = (secret: string): readonly string[] => [
  secret.replaceAll("'", `'\\''`),
  secret.replaceAll("'", `'"'"'`),
  secret.replace(/[^\w@%+=:,./-]/gu, (letter) => `\\${letter}`),
]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const htmlOf = (secret: string): string => secret.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter)

const percent = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`

/** In addresses. Programs agree on letters and digits, and hardly on anything else. */
function urlForms(secret: string): readonly string[] {
  // Half of a surrogate pair cannot be encoded, and cannot be in an environment either.
  const whole = secret.toWellFormed()
  const part = encodeURIComponent(whole)
  const strict = part.replace(/[!'()*]/g, percent)
  const forms = [
    part,
    // curl; then Python, which leaves slashes; then forms of pages.
    strict,
    strict.replaceAll('%2F', '/'),
    strict.replaceAll('~', '%7E').replaceAll('%2A', '*'),
    encodeURI(whole),
    // As the password before a host.
    encodeURI(whole).replace(/[/:;=@?#]/g, percent),
  ]
  const spaced = forms.flatMap((form) => [form, form.replaceAll('%20', '+')])
  return [...spaced, ...spaced.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))]
}

function linesOf(secret: string): readonly string[] {
  const lines = secret.split(/\r?\n/)
  if (lines.length === 1) return []
  return [
    secret.replaceAll('\n', '\r\n'),
    ...lines.map((line) => line.trim()).filter((line) => line.length >= longLine),
  ]
}

/** What is certain of the base64 text of something that holds the secret, at each of the three alignments; and of it alone. */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(`\0\0${secret}`)
  const length = bytes.length - 2
  const forms = [0, 1, 2].map((before) => {
    const text = bytes.toString('base64', 2 - before)
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + length) * 8) / 6))
  })
  const all = [...forms, bytes.toString('base64', 2)]
  return [...all, ...all.map((text) => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''))]
}

/** From this length on the bytes of a value are hidden in hexadecimal digits: of fewer there is too much that only looks like it. */
const fewestBytes = 8
/** Up to this length also in the lines that programs make of them: of a long value those are too many to look for, for every job. */
const mostInLines = 64

/** Its bytes in digits, as Python prints them; in lines of thirty, as `xxd -p` does; and apart, in lines of sixteen, as `od -t x1`. */
function hexForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  if (bytes.length < fewestBytes) return []
  const whole = bytes.toString('hex')
  if (bytes.length > mostInLines) return [whole, whole.toUpperCase()]
  const lines = hexLines(bytes, 30)
  const apart = hexLines(bytes, 16).map((line) => line.replace(/..(?=.)/g, '$& '))
  return [whole, ...lines, ...apart].flatMap((text) => [text, text.toUpperCase()])
}

/** The lines of a program that is given the value alone; a short rest could be anything. */
function hexLines(bytes: Buffer, size: number): readonly string[] {
  const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => i * size)
  const lines = starts.map((start) => bytes.subarray(start, start + size))
  return lines.filter(({ length }) => length >= fewestBytes).map((line) => line.toString('hex'))
}
