import type { IncomingMessage } from 'node:http'
import { StepFailed } from '#agent/step-failed.ts'
import { hostOf, isAmong } from './hosts.ts'

/** A repository that was renamed twice leads on twice. */
const mostHops = 5
const patience = 20_000
/** What git asks first, and is led elsewhere for. */
const firstQuestion = '/info/refs?service=git-upload-pack'

/** How git says that it was led elsewhere. */
export const isRedirected = (words: string): boolean => /returned error: 30[12378]/.test(words)

/**
 * Where a repository is that its host has moved: providers lead from old names to new ones, and from http to https. git
 * would follow to any machine, also to those that only this agent can reach; here it is the same host, or one that the
 * operator lists, and never a way without encryption after one with.
 */
export async function movedTo(url: string, hosts: readonly string[] | undefined, signal: AbortSignal): Promise<string> {
  let at = new URL(url)
  const cannot = (why: string) => new StepFailed(`Cannot fetch from ${plain(at)}: ${why}`)
  for (let hop = 0; hop < mostHops; hop++) {
    const answer = await ask(at, signal)
    const { location } = answer.headers
    if (Math.trunc((answer.statusCode ?? 0) / 100) !== 3 || location === undefined) return at.href
    const next = URL.parse(location, new URL(at.href.replace(/\/+$/, '') + firstQuestion))
    if (!next || !/^https?:$/.test(next.protocol)) throw cannot('it leads nowhere')
    const isSame = next.host === at.host || (next.hostname === at.hostname && next.port === '' && at.port === '')
    if (!isSame && (hosts === undefined || !isAmong(hosts, hostOf(next.href) ?? '')))
      throw cannot(`it leads to another host, ${next.host}`)
    if (at.protocol === 'https:' && next.protocol === 'http:') throw cannot('it leads to where nothing is encrypted')
    // Names and passwords in an address are for the host that they were written for.
    if (isSame) [next.username, next.password] = [at.username, at.password]
    next.search = ''
    next.hash = ''
    next.pathname = next.pathname.replace(/\/info\/refs$/, '')
    at = next
  }
  throw cannot(`it leads on more than ${mostHops} times`)
}

const plain = (url: URL) => `${url.protocol}//${url.host}${url.pathname}`

/** Asks a host what git asks it first, and gives the head of the answer. */
export function ask(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const asked = new URL(url.href.replace(/\/+$/, '') + firstQuestion)
  const outgoing = request(
    asked,
    { signal, timeout: patience, agent: false, headers: { 'user-agent': 'git/2' } },
    (answer) => {
      answer.destroy()
      resolve(answer)
    },
  )
  const lost = (error: Error) => reject(new StepFailed(`Cannot fetch from ${plain(url)}: ${error.message}`))
  outgoing.on('error', lost)
  outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')))
  outgoing.end()
  return promise
}
