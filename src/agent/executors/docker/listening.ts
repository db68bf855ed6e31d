import { readFileSync } from 'node:fs'

/** TCP ports on which somebody listens in the network of a process; undefined where this machine does not tell. */
export function listeningPorts(pid: number): ReadonlySet<number> | undefined {
  const found = new Set<number>()
  try {
    for (const table of ['tcp', 'tcp6']) for (const port of portsIn(readTable(pid, table))) found.add(port)
    return found
  } catch {
    return undefined
  }
}

/** A machine may have no IPv6. */
function readTable(pid: number, table: string): string {
  try {
    return readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
  } catch (error) {
    if (table === 'tcp6') return ''
    throw error
  }
}

/** The ports in a table of the kernel: `0: 00000000:1538 00000000:0000 0A ...`, where 0A says that somebody listens. */
export const portsIn = (table: string): readonly number[] =>
  [...table.matchAll(/^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:[0-9A-F]{4} 0A /gm)].map(([, port]) =>
    Number.parseInt(port ?? '', 16),
  )
