/** Whether this browser shows notifications of ours: `unsupported` where it cannot, or the page did not come over https. */
export type Permission = NotificationPermission | 'unsupported'

const changed = new EventTarget()

/** What this browser allows now. */
export const permissionNow = (): Permission =>
  window.isSecureContext && 'Notification' in window ? Notification.permission : 'unsupported'

/** Calls back when it may have changed. */
export function watchPermission(call: () => void): () => void {
  changed.addEventListener('change', call)
  document.addEventListener('visibilitychange', call)
  return () => {
    changed.removeEventListener('change', call)
    document.removeEventListener('visibilitychange', call)
  }
}

/** Lets the browser ask whoever sits before it; only a click may do that. */
export async function askPermission(): Promise<void> {
  await Notification.requestPermission()
  changed.dispatchEvent(new Event('change'))
}
