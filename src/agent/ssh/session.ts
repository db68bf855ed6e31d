import type { ServerChannel, Session } from 'ssh2'
import type { Screen, Terminal } from '#agent/executors/terminal.ts'
import type { Presence, Visit } from './visit.ts'

const most = 1000
const sized = (rows: number, columns: number): Screen => ({
  rows: Math.min(Math.max(rows || 24, 1), most),
  columns: Math.min(Math.max(columns || 80, 1), most),
})

/** Where the program lies that serves files to sftp and to newer forms of scp, on the systems we know. */
const fileServers = [
  '/usr/lib/openssh/sftp-server',
  '/usr/libexec/openssh/sftp-server',
  '/usr/lib/ssh/sftp-server',
  '/usr/libexec/sftp-server',
]

const serveFiles = `for server in ${fileServers.join(' ')}; do [ ! -x "$server" ] || exec "$server"; done
echo 'Cannot serve files: there is no sftp-server here. "scp -O" works where the job has scp.' >&2
exit 1`

/** Serves one session: a shell, a command, or files; with a terminal where one is asked for. */
export function serveSession(session: Session, visit: Visit, presence: Presence): void {
  let screen: Screen | undefined
  let term = 'xterm'
  let terminal: Terminal | undefined

  session.on('pty', (accept, _reject, info) => {
    screen = sized(info.rows, info.cols)
    term = /^[\w.+-]{1,50}$/.test(info.term ?? '') ? (info.term ?? term) : term
    accept?.()
  })
  session.on('window-change', (accept, _reject, info) => {
    screen = sized(info.rows, info.cols)
    terminal?.resize(screen)
    accept?.()
  })
  // What the visitor's own machine is set to is no affair of the job.
  session.on('env', (_accept, reject) => reject?.())
  session.on('signal', (accept) => accept?.())
  session.on('shell', (accept) => begin(accept()))
  session.on('exec', (accept, _reject, info) => begin(accept(), info.command))
  session.on('subsystem', (accept, reject, info) => (info.name === 'sftp' ? begin(accept(), serveFiles) : reject?.()))

  function begin(channel: ServerChannel, command?: string): void {
    talk(channel, command).catch((error: unknown) => {
      channel.stderr.write(`${error instanceof Error ? error.message : String(error)}\r\n`)
      channel.exit(255)
      channel.end()
    })
  }

  async function talk(channel: ServerChannel, command: string | undefined): Promise<void> {
    channel.on('error', () => {})
    const { directory, environment } = visit.setting()
    if (!visit.place.terminal) throw new Error('Cannot open a terminal in this kind of job')
    const opened = await visit.place.terminal({
      command,
      directory,
      environment: { ...environment, ...(screen && { TERM: term }) },
      screen,
    })
    terminal = opened
    presence.enter(opened)
    channel.once('close', () => opened.hangUp())
    channel.pipe(opened.input)
    opened.output.pipe(channel, { end: false })
    opened.errors.pipe(channel.stderr, { end: false })
    const code = await opened.exited
    channel.exit(code)
    channel.end()
  }
}
