import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobSpec, StepSpec } from '#contract/agent.ts'
import { tempFolder } from './world.ts'

type Checkout = JobSpec['checkout']
export type TestRepository = ReturnType<typeof gitRepository>

/** A repository with two commits on `main`, a tag `v1` at the first, and a branch `side`, gone when the test is over. */
export function gitRepository(format: 'sha1' | 'sha256' = 'sha1') {
  const folder = tempFolder()
  const path = join(folder.path, 'origin')
  const who = ['-c', 'user.name=ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']

  function git(...words: string[]): string {
    const env = { PATH: process.env['PATH'], HOME: folder.path }
    return execFileSync('git', ['-C', path, ...who, ...words], { encoding: 'utf8', env }).trim()
  }

  function commit(message: string, files: Readonly<Record<string, string>>): string {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(path, name, '..'), { recursive: true })
      writeFileSync(join(path, name), text)
    }
    git('add', '.')
    git('commit', '--quiet', '-m', message)
    return git('rev-parse', 'HEAD')
  }

  execFileSync('git', ['init', '--quiet', '--initial-branch=main', `--object-format=${format}`, path])
  const first = commit('say one', { file: 'one\n', 'dir/deep': 'deep\n', script: '#!/bin/sh\n' })
  git('tag', 'v1')
  git('branch', 'side')
  chmodSync(join(path, 'script'), 0o755)
  const second = commit('say two', { file: 'two\n' })

  return {
    path,
    url: `file://${path}`,
    first,
    second,
    git,
    commit,
    /** What a job is told of it. */
    checkout: (more: Partial<Checkout> = {}): Checkout => ({
      url: `file://${path}`,
      revision: git('rev-parse', 'main'),
      branch: 'main',
      tag: null,
      with_job_token: false,
      private_key: null,
      ...more,
    }),
    /** The step that brings it. */
    step: (more: object = {}) =>
      ({ type: 'checkout', name: 'Checkout code', when: 'on_success', method: 'full', ...more }) as StepSpec,
    /** A revision, on a branch of its own, with links that lead out of it. */
    commitLinks(): string {
      git('checkout', '--quiet', '-b', `links-${Math.random()}`)
      symlinkSync('/tmp', join(path, 'out'))
      symlinkSync('../../..', join(path, 'up'))
      const revision = commit('link', { 'inner/kept': 'kept\n' })
      git('checkout', '--quiet', 'main')
      return revision
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}
