import { Answered } from '#contract/client.ts'

/** Whether the service does not know who asks. */
export const isSignedOut = (error: unknown): boolean => error instanceof Answered && error.status === 401

/** Whether there is nothing, or nothing for whoever asks. */
export const isMissing = (error: unknown): boolean => error instanceof Answered && error.status === 404

/** Whether asking again could help: the service did not answer, or was in trouble. */
export const mayPass = (error: unknown): boolean =>
  !(error instanceof Answered) || error.status >= 500 || error.status === 429

/** What to tell a person about something that went wrong, and what to do: the service's own words where it has some. */
export function said(error: unknown): string {
  if (error instanceof Answered) {
    const { body, status } = error
    const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined
    const words = typeof message === 'string' && message !== '' ? message : `The server answered ${status}`
    return status >= 500
      ? `${words.replace(/\.$/, '')}. Try again; if it stays so, tell whoever runs this server.`
      : words
  }
  if (error instanceof TypeError) return 'Cannot reach the server. Check the connection and try again.'
  // Something between here and there spoke: a proxy, while the server starts.
  if (error instanceof SyntaxError) return 'Something other than the server answered. Try again in a moment.'
  return error instanceof Error ? error.message : 'Something went wrong'
}
