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

/** What makes a folder a repository with a configuration that says hello; the shell reads it as it stands. */
export const beginCommand = `mkdir -p .service
cat > .service/config.yml <<'END'
version: 2.1
jobs:
  build:
    machine: true
    steps:
      - checkout
      - run: echo "Hello from $SERVICE_BRANCH"
END
git init -b main && git add . && git commit -m 'Begin'`

interface Added {
  readonly token: string | undefined
  readonly url: string
  readonly organization: string
  readonly name: string
  readonly provider?: string
}

/** A word as a shell reads it, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const asked = (place: Place, token: string | undefined, path: string): string =>
  `curl -X POST -H ${quoted(`Service-Token: ${token ?? '<token>'}`)} ${quoted(`${place.protocol}//${place.host}/api/rh/v1${path}`)}`

/** The command that adds a repository by its URL. */
export function addCommand(place: Place, { token, url, ...rest }: Added): string {
  const body = { url: url.trim() || 'https://host/org/repo.git', ...rest, name: rest.name || 'my-project' }
  return `${asked(place, token, '/project')} \\\n  -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`
}

/** The commands that add a repository and make the address at which its provider tells of pushes. */
export function connectCommand(place: Place, added: Added & { readonly provider: string }): string {
  const slug = [added.provider, added.organization, added.name || 'my-project'].map(encodeURIComponent).join('/')
  return `${addCommand(place, added)}\n${asked(place, added.token, `/project/${slug}/receivers`)}`
}
