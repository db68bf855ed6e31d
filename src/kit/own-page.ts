/** Longer than any address of a page of ours, and short enough for a cookie. */
const longest = 1000

/** A path of this site and nothing else, whatever was asked for: nobody is sent elsewhere by a link to us. */
export function ownPage(wanted: string | null | undefined): string {
  if (wanted == null || wanted.length > longest || !/^\/(?![/\\])/.test(wanted)) return '/'
  const here = 'http://here.invalid'
  const url = URL.parse(wanted, here)
  if (url?.origin !== here || /^\/sign-in(\/|$)/.test(url.pathname)) return '/'
  return url.pathname.startsWith('//') ? '/' : url.pathname + url.search + url.hash
}
