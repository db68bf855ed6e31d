import { Refusal } from '#kit/refusal.ts'

/** A place where a repository can be fetched, taken apart. */
export interface GitUrl {
  readonly url: string
  readonly protocol: 'http' | 'https' | 'ssh'
  readonly host: string
  readonly port: number
}

const ports = { http: 80, https: 443, ssh: 22 } as const

const host = String.raw`(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])`
const user = String.raw`[A-Za-z0-9_][A-Za-z0-9._-]*`
/** Nothing that a shell, a terminal or an option could be made of; a path of the far side may not begin with a dash. */
const path = String.raw`(?!-)[A-Za-z0-9_~./%+@=,-]+`

const asUrl = new RegExp(`^(https?|ssh)://(?:${user}@)?(${host})(?::([0-9]{1,5}))?/(${path})$`)
const asScp = new RegExp(`^${user}@(${host}):(${path})$`)

/**
 * Takes apart the address of a repository, and refuses all but `https://`, `http://`, `ssh://` and `user@host:path`.
 * A password in it is refused too: it would be seen by everybody who lists the processes of this machine.
 */
export function checkGitUrl(url: string): GitUrl {
  const asWeb = url.length <= 2000 ? asUrl.exec(url) : null
  if (asWeb) {
    const protocol = asWeb[1] === 'https' || asWeb[1] === 'http' ? asWeb[1] : 'ssh'
    const port = asWeb[3] === undefined ? ports[protocol] : Number(asWeb[3])
    if (port > 0 && port < 65_536) return { url, protocol, host: asWeb[2] ?? '', port }
  }
  const name = url.length <= 2000 ? asScp.exec(url)?.[1] : undefined
  if (name !== undefined) return { url, protocol: 'ssh', host: name, port: ports.ssh }
  throw new Refusal('invalid', `Cannot use ${JSON.stringify(url.slice(0, 200))} as the address of a repository`)
}

/** Whether a text is the address of a repository rather than a folder. */
export const isGitUrl = (text: string): boolean => asUrl.test(text) || asScp.test(text)
