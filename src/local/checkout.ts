import { realpathSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { isOrganizationName, isRepositoryName } from '#core/refs.ts'
import { gitIn } from './git.ts'

/** A folder of which a snapshot can be taken: a checkout of git, or any other. */
export interface Checkout {
  /** Where it begins. */
  readonly root: string
  /** Nothing where it is no checkout. */
  readonly git?: {
    /** Of this checkout alone: its index lies there. */
    readonly folder: string
    readonly objects: string
    /** Nothing before the first commit. */
    readonly head?: string
    readonly isShallow: boolean
  }
  /** Nothing where no branch is checked out. */
  readonly branch?: string
  readonly organization: string
  readonly name: string
}

/** Finds the checkout that a folder lies in; a folder that lies in none stands for itself. */
export async function findCheckout(folder: string): Promise<Checkout> {
  const git = gitIn(folder)
  const asked = ['--show-toplevel', '--absolute-git-dir', '--is-shallow-repository', '--show-object-format']
  const found = await git('rev-parse', ...asked, '--git-path', 'objects').catch(() => undefined)
  const [top = '', own = '', shallow, format, objects = ''] = found?.split('\n') ?? []
  // Objects of another kind cannot be lent to a repository of the usual one: such a folder is taken as it is.
  if (found === undefined || format !== 'sha1') return { root: realpathSync(folder), ...plainName(folder) }
  const [head, branch, remote] = await Promise.all([
    git('rev-parse', '--verify', '--quiet', 'HEAD^{commit}').catch(() => undefined),
    git('symbolic-ref', '--quiet', '--short', 'HEAD').catch(() => undefined),
    git('config', '--get', 'remote.origin.url').catch(() => ''),
  ])
  return {
    root: realpathSync(top),
    git: {
      folder: own,
      objects: resolve(folder, objects),
      ...(head !== undefined && { head }),
      isShallow: shallow === 'true',
    },
    ...(branch !== undefined && { branch }),
    ...(remoteName(remote) ?? plainName(top)),
  }
}

type Name = Pick<Checkout, 'organization' | 'name'>

/** `acme/web` of `git@github.com:acme/web.git`: jobs are told whose they are. */
function remoteName(url: string): Name | undefined {
  const [, organization = '', name = ''] = /([^/:]+)\/([^/]+?)(?:\.git)?\/*$/.exec(url) ?? []
  return /:/.test(url) && isOrganizationName(organization) && isRepositoryName(name)
    ? { organization, name }
    : undefined
}

function plainName(folder: string): Name {
  const name = basename(resolve(folder))
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
  return { organization: 'local', name: isRepositoryName(name) ? name : 'project' }
}
