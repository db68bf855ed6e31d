import type { AuthContext, Connection, ParsedKey } from 'ssh2'
import ssh2 from 'ssh2'
import type { Visit, VisitorKey } from './visit.ts'

/** How often a client may try: one with many keys offers each of them. */
const mostTries = 20

/**
 * Lets in whoever proves to have one of the keys that open the job they name. Which keys these are is asked anew each time, so that
 * one that was taken away opens nothing any more; nobody learns whether a job of that name exists.
 */
export function authenticate(
  client: Connection,
  visitOf: (name: string) => Visit | undefined,
  entered: (visit: Visit, login: string) => void,
): void {
  let tries = 0
  client.on('authentication', (context) => {
    if (context.method !== 'publickey') return context.reject(['publickey'])
    if (++tries > mostTries) return void client.end()
    const visit = visitOf(context.username)
    const reject = () => context.reject(['publickey'])
    if (!visit) return reject()
    visit.keys().then((keys) => {
      const known = keys.find((candidate) => opens(candidate, context))
      if (!known) return reject()
      // Without a signature it was only the question whether this key is worth the trouble.
      if (context.signature) entered(visit, known.login)
      return context.accept()
    }, reject)
    return undefined
  })
}

function opens({ public_key }: VisitorKey, context: AuthContext): boolean {
  if (context.method !== 'publickey') return false
  const parsed = ssh2.utils.parseKey(public_key)
  const key: ParsedKey | undefined = parsed instanceof Error ? undefined : [parsed].flat()[0]
  if (!key || !key.getPublicSSH().equals(context.key.data)) return false
  if (!context.signature) return true
  return context.blob !== undefined && key.verify(context.blob, context.signature, context.hashAlgo) === true
}
