interface Place {
  readonly protocol: string
  readonly host: string
}

interface Pushed {
  /** Absent until there is one: a placeholder stands for it. */
  readonly token: string | undefined
  readonly org: string
  readonly repo: string
}

/** The command that pushes the current branch of a folder to the git host of this server. */
export function pushCommand({ protocol, host }: Place, { token, org, repo }: Pushed): string {
  const name = repo.trim().replaceAll(/[^\w.-]+/g, '-') || 'my-project'
  const who = token === undefined ? '<token>' : encodeURIComponent(token)
  const url = `${protocol}//${who}@${host}/git/${encodeURIComponent(org)}/${name}.git`
  // A shell must read it as one word: the placeholder in angle brackets would be a redirection.
  return `git push ${/^[\w:/@.%-]+$/.test(url) ? url : `'${url.replaceAll("'", '%27')}'`} HEAD`
}

/** What a repository is called, by the end of its URL. */
export const nameInUrl = (url: string): string => /([^/:]+?)(?:\.git)?\/*$/.exec(url.trim())?.[1] ?? ''
