import type { OpenApi } from '#contract/openapi.ts'

type Json = Readonly<Record<string, unknown>>

interface Described {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly 'x-access': string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Json
  }[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example?: unknown; readonly schema?: Json }>>
  }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }>
  >
  readonly servers?: readonly { readonly url: string }[]
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const text = (value: unknown): string => String(value).replace(/[&<>"']/g, (found) => escapes[found] ?? found)
const idOf = (tag: string): string => tag.replace(/\W+/g, '-')

/** The description of the interface as one page: plain HTML, no script, made from the same declarations as the routes. */
export function docsPage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      path,
      method: method.toUpperCase(),
      described: described as unknown as Described,
    })),
  )
  const base = String(document.servers[0]?.['url'])
  const tags = document.tags.map(({ name }) => name)
  const sections = tags.map((tag) => {
    const own = operations.filter(({ described }) => described.tags.includes(tag))
    return `<section id="${idOf(tag)}"><h2>${text(tag)}</h2>${own.map((one) => operation(base, one)).join('')}</section>`
  })
  const links = tags.map((tag) => `<li><a href="#${idOf(tag)}">${text(tag)}</a></li>`).join('')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Interface of ${text(document.info['title'])} ${text(document.info['version'])}</title>
<link rel="stylesheet" href="/docs/api.css"></head>
<body><header><h1>Interface of ${text(document.info['title'])} ${text(document.info['version'])}</h1>
<p>The same as <a href="/api/v2/openapi.json">OpenAPI 3.1</a>. A token goes into the header <code>Service-Token</code>, into <code>Authorization: Bearer</code>, or into Basic as the user name.</p></header>
<nav aria-label="Resources"><ul>${links}</ul></nav>
<main>${sections.join('')}</main></body></html>
`
}

function operation(
  base: string,
  { path, method, described }: { path: string; method: string; described: Described },
): string {
  const { summary, operationId, parameters, requestBody, responses } = described
  const address = (described.servers?.[0]?.url ?? base).replace(/^https?:\/\/[^/]+/, '') + path
  const [code = '', response] = Object.entries(responses)[0] ?? []
  return `<details id="${text(operationId)}"><summary><b class="${method.toLowerCase()}">${method}</b> <code>${text(address)}</code> <span>${text(summary)}</span></summary>
<p>For: <code>${text(described['x-access'])}</code></p>
${parameters.length === 0 ? '' : table(parameters)}
${block('Body', Object.values(requestBody?.content ?? {})[0]?.example)}
${block(`Answer ${code}`, Object.values(response?.content ?? {})[0]?.example)}</details>`
}

function table(parameters: Described['parameters']): string {
  const rows = parameters.map(
    ({ name, in: place, required, schema }) =>
      `<tr><th scope="row"><code>${text(name)}</code></th><td>${text(place)}</td><td>${text(kindOf(schema))}</td><td>${required ? 'required' : ''}</td></tr>`,
  )
  return `<table><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Form</th><th scope="col"></th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function kindOf({ type, format, enum: allowed }: Json): string {
  if (Array.isArray(allowed)) return allowed.join(', ')
  const [kind] = [format, type].filter((word) => typeof word === 'string')
  return kind ?? 'any'
}

const block = (title: string, example: unknown): string =>
  example === undefined
    ? ''
    : `<h3>${text(title)}</h3><pre tabindex="0">${text(JSON.stringify(example, undefined, 2))}</pre>`

/** How the page looks; in a file of its own, as the policy allows no style inside a page. */
export const docsStyle = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; display: grid; gap: 1rem; grid-template-columns: 14rem minmax(0, 1fr) }
header { grid-column: 1 / -1 }
nav ul { list-style: none; margin: 0; padding: 0; position: sticky; top: 1rem; max-height: 95vh; overflow: auto }
details { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .4rem; margin: .4rem 0; padding: .4rem .8rem }
summary { cursor: pointer; overflow-wrap: anywhere }
summary b { display: inline-block; min-width: 4.5rem; font-family: ui-monospace, monospace }
summary span { display: block; opacity: .85 }
pre { overflow: auto; padding: .6rem; background: color-mix(in srgb, currentColor 8%, transparent); border-radius: .4rem }
table { border-collapse: collapse } th, td { text-align: start; padding: .15rem .8rem .15rem 0; font-weight: normal }
@media (max-width: 50rem) { body { grid-template-columns: minmax(0, 1fr) } nav ul { position: static } }
`
