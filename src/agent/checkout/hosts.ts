import { StepFailed } from '#agent/step-failed.ts'

/** The host of a repository's address, with its port where one is written; undefined for a path of this machine. */
export function hostOf(url: string): string | undefined {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(url)) return URL.parse(url)?.host.toLowerCase()
  return /^(?:[^@/:]+@)?(\[[^\]]+\]|[^:/]+):/.exec(url)?.[1]?.toLowerCase()
}

/** What a list of hosts may hold: `host`, `host:port`, `*.domain`. */
export const isHost = (text: string): boolean =>
  /^(?:\*\.)?[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?$|^\[[\da-f:]+\](?::\d{1,5})?$/i.test(text)

/** Whether a host is among those that an operator lists; a name without a port stands for all of them, none at all for any host. */
export function isAmong(hosts: readonly string[] | undefined, host: string): boolean {
  if (hosts === undefined) return true
  const name = host.replace(/:\d+$/, '')
  return hosts.some((written) => {
    const one = written.toLowerCase()
    if (one.startsWith('*.')) return (/:\d+$/.test(one) ? host : name).endsWith(one.slice(1))
    return one === host || one === name
  })
}

/** Refuses a repository on a host that this agent is not to ask. */
export function checkHost(url: string, hosts: readonly string[] | undefined): void {
  const host = hostOf(url)
  if (host === undefined || isAmong(hosts, host)) return
  throw new StepFailed(`Cannot fetch from ${host}: this agent fetches from ${hosts?.join(', ') || 'no host'} only`)
}
