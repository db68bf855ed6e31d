import type { Standing } from '#server/app/builds/standing.ts'

/** A project as programs that poll for CCTray know it. */
export interface TrayProject {
  readonly name: string
  readonly url: string
  readonly standing: Standing
}

const words: Readonly<Record<NonNullable<Standing['last']>, string>> = {
  success: 'Success',
  failed: 'Failure',
  canceled: 'Exception',
}

/** The feed that such programs read. */
export const trayFeed = (projects: readonly TrayProject[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Projects>${projects.map(element).join('')}</Projects>\n`

function element({ name, url, standing }: TrayProject): string {
  const attributes = {
    name,
    activity: standing.isRunning ? 'Building' : 'Sleeping',
    lastBuildStatus: standing.last === undefined ? 'Unknown' : words[standing.last],
    lastBuildLabel: standing.build === undefined ? '' : String(standing.build),
    lastBuildTime: standing.at ?? '',
    webUrl: url,
  }
  const text = Object.entries(attributes).map(([key, value]) => `${key}="${escaped(value)}"`)
  return `<Project ${text.join(' ')}/>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- XML knows no control characters
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '').replace(/[&<>"]/g, (found) => entities[found] ?? found)
