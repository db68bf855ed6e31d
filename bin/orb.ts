import { globSync, readFileSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Settings } from '#cli/declared-settings.ts'
import { packOrb } from '#cli/pack-orb.ts'
import { orbProblems } from '#config/check-orb.ts'
import { isVersion, readOrbReference } from '#config/orb-reference.ts'
import { registryOf } from '#config/orb-registry.ts'
import { orbFolder, publishOrb } from '#server/app/orb-folder.ts'
import { fail, readText, registryFolder } from './config.ts'

/** Prints the orb that a folder of sources is. */
export function packFolder(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return fail(`Cannot pack ${folder} as it must be a folder`)
  const paths = globSync('**', { cwd: folder, exclude: ['**/.git'] }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  )
  const files = new Map(paths.map((path) => [path.replaceAll(sep, '/'), readFileSync(join(folder, path), 'utf8')]))
  const packed = packOrb(files)
  if (!packed.ok) return fail(packed.problems.join('\n'))
  process.stdout.write(packed.text)
}

/** Puts a packed orb into the registry folder. A version that was published stays as it is. */
export function publishFile(
  file: string,
  reference: string,
  options: Readonly<Record<string, string>>,
  settings: () => Settings,
): void {
  const read = readOrbReference(reference)
  if (read?.type !== 'registry' || !isVersion(read.version)) {
    return fail(`Cannot publish ${reference} as it must be <namespace>/<name>@ with 1.2.3 or dev:<label>`)
  }
  const text = readText(file)
  if (text === undefined) return fail(`Cannot read ${file}`)
  const folder = registryFolder(options, settings)
  if (folder === undefined) return
  const problems = orbProblems(reference, text, registryOf(orbFolder(folder)))
  if (problems.length > 0) return fail(problems.join('\n'))
  if (!publishOrb(folder, read.orb, read.version, text))
    return fail(`Cannot publish ${reference}: that version is published already`)
  console.log(`Published ${reference} in ${folder}`)
}
