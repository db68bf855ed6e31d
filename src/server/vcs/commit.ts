/** Who made something in git, and when. */
export interface Signature {
  readonly name: string
  readonly email: string
  /** ISO 8601 in whole seconds, with the offset of its maker: `2020-01-03T15:08:37-07:00`. */
  readonly date: string
}

/** What a commit says of itself. */
export interface Commit {
  readonly revision: string
  readonly parents: readonly string[]
  readonly author: Signature
  readonly committer: Signature
  /** The first paragraph, in one line. */
  readonly subject: string
  /** The rest, without blank lines around it. */
  readonly body: string
}

/** Reads a commit in the form in which git keeps it. */
export function parseCommit(revision: string, raw: Buffer): Commit {
  const end = raw.indexOf('\n\n')
  const headers = (end < 0 ? raw : raw.subarray(0, end)).toString('latin1')
  const encoding = /^encoding (.+)$/m.exec(headers)?.[1] ?? 'utf-8'
  const text = (part: string) => decode(Buffer.from(part, 'latin1'), encoding)
  // Only the first of its kind counts: a signed tag inside a merge repeats these words, indented or not.
  const line = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(headers)?.[1] ?? ''
  return {
    revision,
    parents: [...headers.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = '']) => parent),
    author: parseSignature(text(line('author'))),
    committer: parseSignature(text(line('committer'))),
    ...parseMessage(end < 0 ? '' : decode(raw.subarray(end + 2), encoding)),
  }
}

function decode(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    // Anybody can name an encoding that nobody knows.
    return bytes.toString('utf8')
  }
}

/** Parts what a commit says into its first paragraph and the rest. */
export function parseMessage(message: string): Pick<Commit, 'subject' | 'body'> {
  const text = message.replaceAll('\r\n', '\n').replace(/^\n+/, '')
  const [first = ''] = text.split(/\n[ \t]*\n/, 1)
  const subject = first
    .split('\n')
    .map((part) => part.trim())
    .filter(Boolean)
    .join(' ')
  return {
    subject,
    body: text
      .slice(first.length)
      .replace(/^\s*\n/, '')
      .trimEnd(),
  }
}

function parseSignature(line: string): Signature {
  const [, name = '', email = '', seconds = '0', zone = '+0000'] =
    /^(.*?) ?<([^>]*)> ?(-?\d+)? ?([+-]\d{4})?/.exec(line) ?? []
  return { name: name.trim(), email, date: dateOf(Number(seconds), zone) }
}

/** The wall clock of whoever made it: a date as people write it, however wild the numbers of a forged commit. */
function dateOf(seconds: number, zone: string): string {
  const sign = zone.startsWith('-') ? -1 : 1
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))
  const sane = minutes < 24 * 60 && Number(zone.slice(3)) < 60
  const offset = sane ? sign * minutes : 0
  const wall = new Date((seconds + offset * 60) * 1000)
  if (!(wall.getTime() >= 0 && wall.getUTCFullYear() < 10_000)) return '1970-01-01T00:00:00+00:00'
  return wall.toISOString().slice(0, 19) + (sane ? `${zone.slice(0, 3)}:${zone.slice(3)}` : '+00:00')
}
