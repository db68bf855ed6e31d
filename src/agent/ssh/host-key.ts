import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ssh2 from 'ssh2'

/** The key by which visitors know this agent again; made once and kept in its folder. */
export function hostKey(folder: string): string {
  const file = join(folder, 'ssh-host-key')
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const { private: key } = ssh2.utils.generateKeyPairSync('ed25519')
    writeFileSync(file, key, { mode: 0o600 })
    return key
  }
}
