import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '#agent/whole-file.ts'

/** The key by which visitors know this agent again; made once and kept in its folder. */
export function hostKey(folder: string): string {
  const file = join(folder, 'ssh-host-key')
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Not by ssh2 itself: some of the ed25519 keys that it makes it cannot read.
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = privateKey.export({ type: 'sec1', format: 'pem' }).toString()
    writeWhole(file, key)
    return key
  }
}
