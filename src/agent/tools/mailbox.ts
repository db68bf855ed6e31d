import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  watch,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** What a step asks. */
export interface Question {
  /** Where it stood when it asked. */
  readonly directory: string
  readonly nodeIndex: string
  readonly nodeTotal: string
  readonly args: readonly string[]
  /** What came on its input, if the command reads it. */
  readonly input: string
  /** Its exported variables, in the words of its shell; empty for commands that need none. */
  readonly exports: string
}

/** What a step is answered. With `run` it gives `out` to that command instead of printing it. */
export interface Reply {
  readonly code: number
  readonly out?: string
  readonly err?: string
  readonly run?: string
}

/** More than this in one file is no question. */
const mostBytes = 64 * 1024 * 1024
/** So often one looks without being called: a watch can miss, or be refused by the machine. */
const lookMs = 5_000
const lookMsWithoutWatch = 200

const { O_RDONLY, O_WRONLY, O_NONBLOCK, O_NOFOLLOW, O_DIRECTORY, O_CREAT, O_EXCL } = constants

/**
 * Answers what the steps of a job ask through the files of its mailbox, until it is closed; also what was asked of an earlier process.
 * In a container the folder belongs to the job, which may put anything into it: no link is followed, nothing but plain files is
 * read or written, and the folder itself is held open, so that it cannot be exchanged for another.
 */
export function openMailbox(shared: string, answer: (question: Question) => Promise<Reply>): Disposable {
  const path = join(shared, 'mail')
  try {
    mkdirSync(path)
    chmodSync(path, 0o777)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  }
  const folder = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  const inside = process.platform === 'linux' ? `/proc/self/fd/${folder}` : path
  const busy = new Set<string>()
  let closed = false

  function look(): void {
    if (closed) return
    for (const name of listed(inside)) {
      const [, id] = /^(\d{1,10}-\d{1,4})\.go$/.exec(name) ?? []
      if (id === undefined || busy.has(id)) continue
      busy.add(id)
      void serve(id)
    }
  }

  async function serve(id: string): Promise<void> {
    const file = (kind: string) => join(inside, `${id}.${kind}`)
    try {
      // Answered by a process that died before it could ring.
      if (readPlain(file('code')) === undefined) {
        const { code, out = '', err = '', run = '' } = await answer(questionOf(file))
        if (closed) return
        for (const [kind, text] of Object.entries({ out, err, run })) writePlain(file(kind), text)
        writePlain(file('code'), `${code}\n`)
      }
      ring(file('bell'), readPlain(file('code')) ?? '1\n')
    } catch {
      // A full disk, or files that are no question: whoever waits hears it from the bell, if there is one.
      if (!closed) ring(file('bell'), '1\n')
    } finally {
      if (!closed) rmSync(file('go'), { force: true })
      busy.delete(id)
    }
  }

  const watching = watched(path, look)
  const timer = setInterval(look, watching ? lookMs : lookMsWithoutWatch).unref()
  look()
  return {
    [Symbol.dispose]() {
      if (closed) return
      closed = true
      watching?.close()
      clearInterval(timer)
      closeSync(folder)
    },
  }
}

function watched(path: string, look: () => void): ReturnType<typeof watch> | undefined {
  try {
    const watcher = watch(path, { persistent: false }, (_, name) => {
      if (name === null || name.endsWith('.go')) look()
    })
    watcher.on('error', () => {})
    return watcher
  } catch {
    return undefined
  }
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function questionOf(file: (kind: string) => string): Question {
  const [directory = '', nodeIndex = '', nodeTotal = '', ...args] = (readPlain(file('args')) ?? '').split('\0')
  return {
    directory,
    nodeIndex,
    nodeTotal,
    // Every argument ends with the character between them, also the last.
    args: args.slice(0, -1),
    input: readPlain(file('in')) ?? '',
    exports: readPlain(file('env')) ?? '',
  }
}

/** The text of a plain file; undefined where there is none. */
function readPlain(path: string): string | undefined {
  let handle: number
  try {
    handle = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
  try {
    const found = fstatSync(handle)
    if (!found.isFile() || found.size > mostBytes) throw new Error('Cannot read a question: it is no plain file')
    const bytes = Buffer.alloc(found.size)
    let at = 0
    while (at < bytes.length) {
      const more = readSync(handle, bytes, at, bytes.length - at, at)
      if (more === 0) break
      at += more
    }
    return bytes.toString('utf8', 0, at)
  } finally {
    closeSync(handle)
  }
}

/** Writes a file that was not there; what lies in its place is removed, never written into. */
function writePlain(path: string, text: string): void {
  rmSync(path, { force: true })
  const handle = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644)
  try {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at)
  } finally {
    closeSync(handle)
  }
}

/** Wakes whoever waits; nobody does where there is no bell, or nobody behind it any more. */
function ring(path: string, text: string): void {
  let handle: number | undefined
  try {
    handle = openSync(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW)
    if (fstatSync(handle).isFIFO()) writeSync(handle, text)
  } catch {
    // Gone: killed with its step.
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
