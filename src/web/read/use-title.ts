import { useEffect } from 'react'
import { type StatusWord, statusLook, type Tone, toneSign } from '#web/status-look.ts'

const icons: Readonly<Record<Tone, string>> = {
  good: new URL('../favicon/good.svg', import.meta.url).href,
  bad: new URL('../favicon/bad.svg', import.meta.url).href,
  busy: new URL('../favicon/busy.svg', import.meta.url).href,
  hold: new URL('../favicon/hold.svg', import.meta.url).href,
  wait: new URL('../favicon/idle.svg', import.meta.url).href,
  stop: new URL('../favicon/idle.svg', import.meta.url).href,
  idle: new URL('../favicon/idle.svg', import.meta.url).href,
}

/** Names the page in its tab, where the sign and the icon also say how the thing stands. */
export function useTitle(name: string, status?: StatusWord): void {
  const tone = status === undefined ? undefined : statusLook[status].tone
  useEffect(() => {
    document.title = `${tone === undefined ? '' : `${toneSign[tone]} `}${name} · Roundhouse`
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (link) link.href = icons[tone ?? 'idle']
  }, [name, tone])
}
