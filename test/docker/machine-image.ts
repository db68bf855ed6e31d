import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestEngine } from './engine.ts'

const applets = 'sh cat ls echo mkdir rm tar id chmod stat cp mv true sleep touch grep wc find env'

/** An image with programs of this machine and what they need to run, beside busybox, and a user `ci` without rights. */
export function importPrograms(engine: TestEngine, image: string, programs: readonly string[]): void {
  const tree = mkdtempSync(join(tmpdir(), 'roundhouse-image-'))
  try {
    for (const path of ['bin', 'etc', 'tmp', 'root', 'home/ci']) mkdirSync(join(tree, path), { recursive: true })
    copyFileSync('/bin/busybox', join(tree, 'bin/busybox'))
    for (const name of applets.split(' ')) symlinkSync('busybox', join(tree, 'bin', name))
    writeFileSync(join(tree, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nci:x:1000:1000:ci:/home/ci:/bin/sh\n')
    for (const program of programs) importProgram(tree, program)
    execFileSync('chown', ['-R', '1000:1000', join(tree, 'home/ci')])
    execFileSync('chmod', ['1777', join(tree, 'tmp')])
    execFileSync('tar', ['-c', '-C', tree, '-f', `${tree}.tar`, '.'])
    engine.docker('import', `${tree}.tar`, image)
  } finally {
    rmSync(tree, { recursive: true, force: true })
    rmSync(`${tree}.tar`, { force: true })
  }
}

function importProgram(tree: string, program: string): void {
  const file = execFileSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim()
  // A program without libraries makes `ldd` fail and print nothing here.
  const libraries = spawnSync('ldd', [file], { encoding: 'utf8' }).stdout.match(/\/\S+(?= \()/g) ?? []
  for (const one of [file, ...libraries]) {
    mkdirSync(dirname(join(tree, one)), { recursive: true })
    copyFileSync(one, join(tree, one))
  }
  symlinkSync(file, join(tree, 'bin', program))
  if (program !== 'git') return
  symlinkSync(file, join(tree, 'bin/git-upload-pack'))
  // Commands of git that are programs of their own: submodules, and what speaks HTTP.
  const own = execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim()
  mkdirSync(join(tree, own), { recursive: true })
  for (const name of ['git-submodule', 'git-sh-setup', 'git-remote-http', 'git-remote-https', 'git-sh-i18n'])
    if (existsSync(join(own, name))) cpSync(join(own, name), join(tree, own, name), { dereference: false })
}
