/** A box that scrolls over rows of one height. */
export interface Viewport {
  /** How many rows there are, and how high each is in pixels. */
  readonly count: number
  readonly row: number
  /** What can be seen of them, in pixels. */
  readonly height: number
}

/** Browsers draw nothing that is much higher than this: of a longer list the scroll bar shows the proportion only. */
export const mostHeight = 8_000_000

/** How high the content is, in pixels. */
export const heightOf = ({ count, row }: Viewport): number => Math.min(mostHeight, count * row)

/** Whether a pixel of the scroll bar stands for more than a pixel of rows. */
export const isScaled = ({ count, row }: Viewport): boolean => count * row > mostHeight

/** The greatest number that can stand at the top: then the last row is at the bottom. */
export const lastTop = ({ count, row, height }: Viewport): number => Math.max(0, count - height / row)

/** The row at the top, whole and broken, where the box is scrolled to a pixel. */
export function topAt(view: Viewport, scrolled: number): number {
  const most = Math.max(0, heightOf(view) - view.height)
  if (!isScaled(view)) return Math.min(lastTop(view), scrolled / view.row)
  return most === 0 ? 0 : (Math.min(scrolled, most) / most) * lastTop(view)
}

/** To which pixel the box is scrolled when a row stands at its top. */
export function scrolledTo(view: Viewport, top: number): number {
  const wanted = Math.min(lastTop(view), Math.max(0, top))
  if (!isScaled(view)) return wanted * view.row
  return (wanted / lastTop(view)) * (heightOf(view) - view.height)
}

/** Whether a reader is at the end, and so wants to follow it. */
export const isAtEnd = (view: Viewport, top: number): boolean => lastTop(view) - top < 1.5
