import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { longestKey } from '#agent/archive/limits.ts'
import { tarParts } from '#agent/archive/tar-parts.ts'
import { directoryOf } from '#agent/environment.ts'
import { StepFailed } from '#agent/step-failed.ts'
import type { WorkTools } from './work.ts'

/*
 * Keys of caches are templates (A6): {{ .Branch }}, {{ checksum "file" }}, filled in when the step runs.
 */

type Tools = Pick<WorkTools, 'place' | 'job'>

const filling = /(\s*\{\{-\s|\{\{)((?:"[^"]*"|`[^`]*`|[^"`}]|\}(?!\}))*?)(\s-\}\}\s*|\}\})/g

/** The key that a template comes to, here and now. */
export async function keyOf(template: string, tools: Tools): Promise<string> {
  let key = ''
  let at = 0
  for (const found of template.matchAll(filling)) {
    key += template.slice(at, found.index) + (await valueOf((found[2] ?? '').trim(), tools))
    at = found.index + found[0].length
  }
  key += template.slice(at)
  if (key.includes('{{')) throw bad(template, 'a template is not closed')
  if (key.trim() === '') throw bad(template, 'it is empty')
  if (/\p{Cc}/u.test(key)) throw bad(template, 'it has a line break or another control character')
  if (key.length > longestKey) throw bad(template, `it has ${key.length} characters, more than ${longestKey}`)
  return key
}

async function valueOf(expression: string, tools: Tools): Promise<string> {
  const { job } = tools
  switch (expression) {
    case '.Branch':
      return job.checkout.branch ?? ''
    case '.Revision':
      return job.checkout.revision
    case '.BuildNum':
      return String(job.number)
    case '.CheckoutKey':
      return job.checkout.private_key === null ? '' : digest(createHash('sha256').update(job.checkout.private_key))
    case 'epoch':
      return String(Math.floor(Date.now() / 1000))
    case 'arch':
      return arch()
    default: {
      const [, name] = /^\.Environment\.([A-Za-z_][A-Za-z0-9_]*)$/.exec(expression) ?? []
      // What is not there is written as Go does it, so that keys stay the same as with the original.
      if (name !== undefined) return job.environment[name] ?? '<no value>'
      const [, quoted, raw] = /^checksum\s*(?:"([^"]*)"|`([^`]*)`)$/.exec(expression) ?? []
      const file = quoted ?? raw
      if (file !== undefined) return checksum(file, tools)
      throw bad(`{{ ${expression} }}`, 'nobody knows this template')
    }
  }
}

/** As many links as a system follows before it takes them for a ring. */
const mostLinks = 40

/** SHA-256 of a file, in base64 without slashes; of what a link leads to, if it is one. */
async function checksum(file: string, { place, job }: Tools, links = 0): Promise<string> {
  const path = directoryOf(file, directoryOf(job.working_directory, place.home, place.home), place.home)
  const archive = place.files.pack(dirname(path), [basename(path)])
  const hash = createHash('sha256')
  let isFile = false
  try {
    for await (const part of tarParts(archive)) {
      if (part.type === 'entry' && part.entry.type === 'symlink' && links < mostLinks)
        return await checksum(resolve(dirname(path), part.entry.linkName), { place, job }, links + 1)
      if (part.type === 'entry' && part.entry.type !== 'file') break
      isFile ||= part.type === 'entry'
      if (part.type === 'content') hash.update(part.bytes)
    }
  } catch (error) {
    if (error instanceof StepFailed) throw error
    const words = error instanceof Error ? error.message : String(error)
    // Each place says it in its own way, and none of them in the words of whoever wrote the key.
    throw bad(`{{ checksum "${file}" }}`, isMissing.test(words) ? `there is no file ${path}` : words)
  } finally {
    archive.destroy()
  }
  if (!isFile) throw bad(`{{ checksum "${file}" }}`, 'it is no file')
  return digest(hash)
}

const isMissing = /no such file|could not find the file/i

const digest = (hash: ReturnType<typeof createHash>): string => hash.digest('base64').replaceAll('/', '_')

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' }

let known: string | undefined

/** System, architecture, and family and model of the processor where it tells: `arch1-linux-amd64-6_85`. */
function arch(): string {
  if (known !== undefined) return known
  let processor = ''
  try {
    const text = readFileSync('/proc/cpuinfo', 'utf8')
    const field = (name: string) => new RegExp(`^${name}\\s*:\\s*(\\d+)$`, 'm').exec(text)?.[1]
    const [family, model] = [field('cpu family'), field('model')]
    if (family !== undefined && model !== undefined) processor = `-${family}_${model}`
  } catch {
    // No such file, no such words.
  }
  known = `arch1-${process.platform}-${architectures[process.arch] ?? process.arch}${processor}`
  return known
}

const bad = (template: string, why: string) => new StepFailed(`Cannot compute the cache key ${template}: ${why}`)
