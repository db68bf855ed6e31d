import { connect } from 'node:net'
import type { Connection } from 'ssh2'

/** Lets a visitor open connections from the agent's machine (`ssh -L`): only where the operator allows it. */
export function forward(client: Connection): void {
  client.on('tcpip', (accept, reject, { destIP, destPort }) => {
    const socket = connect({ host: destIP, port: destPort })
    const refuse = () => reject()
    socket.once('error', refuse)
    socket.once('connect', () => {
      socket.off('error', refuse)
      const channel = accept()
      channel.on('error', () => socket.destroy())
      socket.on('error', () => channel.end())
      channel.pipe(socket).pipe(channel)
    })
  })
}
