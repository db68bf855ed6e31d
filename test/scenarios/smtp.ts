import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'

/** One mail as it came. */
export interface Received {
  readonly from: string
  readonly to: readonly string[]
  readonly text: string
  /** `user:password` of whoever sent it, where they said so; and whether all of it came through TLS. */
  readonly by: string | undefined
  readonly isSecret: boolean
}

export interface SmtpOptions {
  /** Which recipients it does not take, for now. */
  readonly refuse?: (address: string) => boolean
  /** What it speaks TLS with; from the first byte (`implicit`), or when it is asked to. */
  readonly tls?: { readonly key: Buffer; readonly cert: Buffer; readonly implicit?: boolean }
}

/** A mail server on loopback that speaks as much SMTP as a client needs. */
export async function openSmtp({ refuse = () => false, tls }: SmtpOptions = {}) {
  const mails: Received[] = []
  /** Every word that came in the clear. */
  const overheard: string[] = []
  const sockets = new Set<Socket>()
  const secured = (socket: Socket) =>
    tls ? new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(tls) }) : socket

  function serve(socket: Socket, greeting: string | undefined): void {
    const isSecret = socket instanceof TLSSocket
    socket.on('error', () => {})
    let [from, by] = ['', undefined as string | undefined]
    let to: string[] = []
    let data: string[] | undefined
    let rest = ''
    const say = (line: string) => void socket.write(`${line}\r\n`)
    const hear = (line: string) => {
      if (!isSecret) overheard.push(line)
      if (data) {
        if (line !== '.') return void data.push(line)
        // Soft breaks of quoted-printable are no part of what was written.
        mails.push({ from, to, text: data.join('\n').replaceAll('=\n', ''), by, isSecret })
        data = undefined
        return say('250 taken')
      }
      const address = /<(.*?)>/.exec(line)?.[1] ?? ''
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'EHLO') return say(tls && !isSecret ? '250-here\r\n250 STARTTLS' : '250-here\r\n250 AUTH PLAIN')
      if (verb === 'STAR') {
        if (!tls || isSecret) return say('502 no')
        say('220 go on')
        socket.removeAllListeners('data')
        return serve(secured(socket), undefined)
      }
      if (verb === 'AUTH') {
        by = Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .split('\0')
          .slice(1)
          .join(':')
        return say('235 welcome')
      }
      if (verb === 'MAIL') [from, to] = [address, []]
      if (verb === 'RCPT' && refuse(address)) return say('451 not now')
      if (verb === 'RCPT') to.push(address)
      if (verb === 'DATA') {
        data = []
        return say('354 go on')
      }
      return say(verb === 'QUIT' ? '221 bye' : '250 ok')
    }
    socket.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString('utf8')).split('\r\n')
      rest = lines.pop() ?? ''
      lines.forEach(hear)
    })
    if (greeting !== undefined) say(greeting)
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    serve(tls?.implicit === true ? secured(socket) : socket, '220 test')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    mails,
    overheard,
    port,
    url: `${tls?.implicit === true ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
