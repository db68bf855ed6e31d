import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { Settings } from '#cli/declared-settings.ts'
import type { PeopleDeed } from '#cli/people-commands.ts'
import { connectionOf } from './connection.ts'

type Options = Readonly<Record<string, string | undefined>>

const commands: readonly { readonly deed: PeopleDeed; readonly words: string; readonly about: string }[] = [
  { deed: 'user list', words: '', about: 'List the users of the installation' },
  {
    deed: 'user create',
    words: '<login> [admin]',
    about: 'Make a user (with the word admin: an administrator), and a sign-in link',
  },
  { deed: 'user link', words: '<login>', about: 'Make a link that signs a user in once' },
  { deed: 'user revoke', words: '<login>', about: 'Take tokens, sessions, links and the password of a user away' },
  { deed: 'ssh-key list', words: '', about: 'List your public keys' },
  { deed: 'ssh-key add', words: '<file> [label]', about: 'Add a public key: the file ends with .pub' },
  { deed: 'ssh-key delete', words: '<id>', about: 'Delete a public key: it opens no job any more' },
  { deed: 'org list', words: '', about: 'List organizations' },
  { deed: 'org create', words: '<name>', about: 'Make an organization' },
  { deed: 'org members', words: '<org>', about: 'List who belongs to an organization' },
  { deed: 'org set', words: '<org> <login> <role>', about: 'Let a user in as owner, member or viewer, or change that' },
  { deed: 'org remove', words: '<org> <login>', about: 'Take a user out of an organization' },
  {
    deed: 'org invite',
    words: '<org> <login> <role>',
    about: 'Make a user who belongs to an organization, and a sign-in link',
  },
]

/** The commands about people and organizations: they ask a running server. */
export function peopleCommands(roundhouse: Command, settings: () => Settings): void {
  const groups = new Map([
    ['user', roundhouse.command('user').description('Users of a running server')],
    ['ssh-key', roundhouse.command('ssh-key').description('Public keys by which you come into jobs that run with SSH')],
    ['org', roundhouse.command('org').description('Organizations of a running server, and who belongs to them')],
  ])
  for (const { deed, words, about } of commands) {
    const [group = '', name = ''] = deed.split(' ')
    groups
      .get(group)
      ?.command(`${name} ${words}`.trim())
      .description(about)
      .option('--server <url>', 'address of the server; ROUNDHOUSE_SERVER, or the one that these settings would start')
      .option('--token-file <path>', 'file that holds a token of yours; ROUNDHOUSE_TOKEN, or that of the first user')
      .action(async (...given: readonly unknown[]) => {
        const options = given.at(-2) as Options
        const said = given.slice(0, -2).filter((word): word is string => typeof word === 'string')
        await run(deed, deed === 'ssh-key add' ? withContent(said) : said, options, settings)
      })
  }
}

/** The first word names a file: what it holds is sent, if it is no private key. */
function withContent([file = '', ...words]: readonly string[]): readonly string[] {
  try {
    const text = readFileSync(file, 'utf8')
    if (!text.includes('PRIVATE KEY')) return [text, ...words]
    console.error(`Cannot add ${file} as it must be a public key: it is a private one`)
  } catch {
    console.error(`Cannot read ${file}`)
  }
  return process.exit(1)
}

async function run(deed: PeopleDeed, words: readonly string[], options: Options, settings: () => Settings) {
  const { askPeople } = await import('#cli/people-commands.ts')
  let connection: ReturnType<typeof connectionOf>
  try {
    connection = connectionOf(options, settings())
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  }
  const { ok, text } = await askPeople(connection, deed, words)
  if (ok) console.log(text)
  else console.error(text)
  process.exit(ok ? 0 : 1)
}
