import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** One mail as it came. */
export interface Received {
  readonly from: string
  readonly to: readonly string[]
  readonly text: string
}

/** A mail server on loopback that speaks as much SMTP as a client needs; `refuse` says which recipients it does not take, for now. */
export async function openSmtp(refuse: (address: string) => boolean = () => false) {
  const mails: Received[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    let from = ''
    let to: string[] = []
    let data: string[] | undefined
    let rest = ''
    const say = (line: string) => void socket.write(`${line}\r\n`)
    const hear = (line: string) => {
      if (data) {
        if (line !== '.') return void data.push(line)
        // Soft breaks of quoted-printable are no part of what was written.
        mails.push({ from, to, text: data.join('\n').replaceAll('=\n', '') })
        data = undefined
        return say('250 taken')
      }
      const address = /<(.*?)>/.exec(line)?.[1] ?? ''
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'EHLO' || verb === 'HELO') return say('250 here')
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
    say('220 test')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    mails,
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
