import { rootCertificates } from 'node:tls'
import type { Transporter } from 'nodemailer'
import type { Answer, Mail } from '#server/app/outgoing.ts'
import type { MailTerms } from '#server/app/world.ts'

const isOwnMachine = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\.[\d.]+$/.test(host)

/** Sends mail through the server that the operator named. */
export function mailer(terms: MailTerms | undefined) {
  let transport: Promise<Transporter> | undefined

  async function open({ url, ca }: MailTerms): Promise<Transporter> {
    // Loaded with the first mail: most installations send none.
    const { createTransport } = await import('nodemailer')
    const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
    const { protocol, hostname, port, username, password } = new URL(url)
    const isSecure = protocol === 'smtps:'
    const host = hostname.replace(/^\[|\]$/g, '')
    return createTransport({
      pool: true,
      maxConnections: 2,
      host,
      port: port === '' ? (isSecure ? 465 : 587) : Number(port),
      secure: isSecure,
      // Nobody on the way may talk us out of TLS and then read the password.
      requireTLS: !isSecure && username !== '' && !isOwnMachine(host),
      ...(ca !== undefined && { tls: { ca: [...rootCertificates, ca] } }),
      ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      ...timeouts,
      // A message says what it says: nothing is read from files or fetched for it.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  return {
    async send({ id, to, title, text, stopAt }: Mail): Promise<Answer> {
      if (!terms) return { error: 'No mail is sent here' }
      try {
        const opened = await (transport ??= open(terms))
        const host = terms.from.replace(/^.*@/, '').replace(/>.*$/, '')
        await opened.sendMail({
          from: terms.from,
          to: { name: '', address: to },
          subject: title,
          text,
          messageId: `<${id}@${host}>`,
          headers: { 'Auto-Submitted': 'auto-generated', 'List-Unsubscribe': `<${stopAt}>` },
        })
        return { status: 250 }
      } catch (error) {
        return { error: error instanceof Error ? error.message : String(error) }
      }
    },
    close(): void {
      void transport?.then((opened) => opened.close())
    },
  }
}
