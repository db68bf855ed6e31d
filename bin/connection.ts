import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Unclear } from '#cli/ask/told.ts'
import type { Settings } from '#cli/declared-settings.ts'

/** What a command was told about the server to ask. */
export interface Asked {
  readonly server?: string | undefined
  readonly tokenFile?: string | undefined
  readonly token?: string | undefined
}

/** The server that a command asks, and the token it shows there: what it was told, then the settings, then what a server of these settings made. */
export function connectionOf(asked: Asked, settings: Settings): { readonly server: string; readonly token: string } {
  const server = asked.server ?? settings.server ?? settings['base-url'] ?? `http://${settings.listen}`
  if (!/^https?:\/\/[^\s/]+/.test(server))
    throw new Unclear(`Cannot ask ${server} as it must be an http or https address`)
  return { server: server.replace(/\/+$/, ''), token: tokenOf(asked, settings) }
}

function tokenOf({ token, tokenFile }: Asked, settings: Settings): string {
  const given = token ?? (tokenFile === undefined ? (settings.token ?? settings['admin-token']) : undefined)
  if (given !== undefined) return given
  const file = tokenFile ?? join(settings.data, 'admin-token')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new Unclear(`Cannot read a token from ${file}: set ROUNDHOUSE_TOKEN or give --token-file`)
  }
}
