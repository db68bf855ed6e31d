import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Resolve } from '#server/app/guard.ts'

/** What a name answers the n-th time (from 1) it is asked for: addresses of either family. */
export type Zone = Readonly<Record<string, (count: number) => readonly string[]>>

const types = { a: 1, aaaa: 28 } as const

/** A DNS server on loopback over UDP: it says what the test wants, and forgets nothing of what it was asked. */
export async function openDns(zone: Zone) {
  const asked: string[] = []
  const rounds = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const { name, type, end } = readQuestion(question)
    asked.push(name)
    const wantsSix = type === types.aaaa
    // One look-up asks for both families: both belong to one round.
    const key = `${name} ${type}`
    const round = (rounds.get(key) ?? 0) + 1
    rounds.set(key, round)
    const found = (zone[name]?.(round) ?? []).filter((address) => isIPv6(address) === wantsSix)
    socket.send(answerOf(question, end, found), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const resolver = new Resolver({ timeout: 30_000, tries: 2 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  const resolve: Resolve = async (host) => {
    const none = () => [] as string[]
    const four = await resolver.resolve4(host).catch(none)
    const six = await resolver.resolve6(host).catch(none)
    return [...four.map((address) => ({ address, family: 4 })), ...six.map((address) => ({ address, family: 6 }))]
  }
  return {
    asked,
    resolve,
    async [Symbol.asyncDispose]() {
      resolver.cancel()
      socket.close()
      await once(socket, 'close')
    },
  }
}

function readQuestion(message: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function answerOf(question: Buffer, end: number, addresses: readonly string[]): Buffer {
  const head = Buffer.from(question.subarray(0, 12))
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt16BE(0, 8)
  head.writeUInt16BE(0, 10)
  const records = addresses.map((address) => {
    const bytes = Buffer.from(ipaddr.parse(address).toByteArray())
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(bytes.length === 4 ? types.a : types.aaaa, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(0, 6)
    record.writeUInt16BE(bytes.length, 10)
    return Buffer.concat([record, bytes])
  })
  return Buffer.concat([head, question.subarray(12, end), ...records])
}
