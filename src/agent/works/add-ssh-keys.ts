import { join } from 'node:path'
import type { JobSpec, StepSpec } from '#contract/agent.ts'
import { fileIn, type NewFile, tarOf } from '#agent/executors/small-files.ts'
import { StepFailed } from '#agent/step-failed.ts'
import type { Work } from './work.ts'

type Key = JobSpec['ssh_keys'][number]

/** Puts keys into `~/.ssh`, each with an entry of the configuration that says for which host it is. */
export const addSshKeys: Work<Extract<StepSpec, { type: 'add_ssh_keys' }>> = async ({ place, job, step, say }) => {
  const keys = chosen(job.ssh_keys, step.fingerprints)
  if (keys.length === 0) {
    say('The project has no additional SSH keys\n')
    return 'success'
  }
  const before = (await fileIn(place.files, place.home, '.ssh/config')) ?? ''
  const entries = keys.map((key) => entryOf(key, place.home)).filter((entry) => !before.includes(entry))
  const files: NewFile[] = [
    ...keys.map((key) => ({ path: join('.ssh', nameOf(key)), content: key.private_key, mode: 0o600 })),
    { path: '.ssh/config', content: [before.trimEnd(), ...entries].filter(Boolean).join('\n') + '\n', mode: 0o600 },
  ]
  await place.files.unpack(place.home, tarOf([{ path: '.ssh', mode: 0o700 }, ...files]))
  for (const key of keys) say(`Installed key ${key.md5}${key.hostname === '' ? '' : ` for ${key.hostname}`}\n`)
  return 'success'
}

const nameOf = ({ md5 }: Key): string => `id_rsa_${md5.replaceAll(':', '')}`

/** A host that is met for the first time is believed and remembered: nobody is there who could be asked. */
const entryOf = (key: Key, home: string): string =>
  [
    `Host ${key.hostname === '' ? '*' : key.hostname}`,
    '  IdentitiesOnly yes',
    `  IdentityFile ${join(home, '.ssh', nameOf(key))}`,
    '  StrictHostKeyChecking accept-new',
  ].join('\n')

function chosen(keys: readonly Key[], fingerprints: readonly string[]): readonly Key[] {
  if (fingerprints.length === 0) return keys
  return fingerprints.flatMap((wanted) => {
    const text = wanted.trim().replace(/=+$/, '')
    const found = keys.filter(({ md5, sha256 }) => md5 === text.replace(/^MD5:/i, '').toLowerCase() || sha256 === text)
    if (found.length === 0)
      throw new StepFailed(`There is no SSH key with the fingerprint ${wanted} in the settings of this project`)
    return found
  })
}
