import { useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { userPage } from '#web/address.ts'
import { Tone } from '#web/parts/tone.tsx'
import { askPermission, permissionNow, watchPermission } from '#web/read/permission.ts'
import { show } from '#web/read/use-notifications.ts'

/** Whether this browser shows what its reader wants to be told, and how to let it. */
export function BrowserPermission({ wished }: { readonly wished: boolean }) {
  const permission = useSyncExternalStore(watchPermission, permissionNow)
  const navigate = useNavigate()
  if (!wished) return null
  switch (permission) {
    case 'unsupported':
      return (
        <p className="note">
          This browser shows no notifications of this page: it knows none, or the page did not come over https.
        </p>
      )
    case 'denied':
      return (
        <p className="note">
          This browser blocks notifications of this site. Allow them in its settings for the site, beside the address,
          and load the page again.
        </p>
      )
    case 'granted':
      return (
        <div className="panel one-line">
          <Tone tone="good">This browser shows them, as long as one of these pages is open in it</Tone>
          <button
            type="button"
            className="quiet"
            onClick={() =>
              show(
                { id: 'try', title: 'It works', text: 'You will be told like this.', url: userPage('notifications') },
                (path) => void navigate(path),
              )
            }
          >
            Show me one
          </button>
        </div>
      )
    default:
      return (
        <div className="panel one-line">
          <Tone tone="hold">This browser was not asked yet whether it may show them</Tone>
          <button type="button" className="strong" onClick={() => void askPermission()}>
            Allow in this browser
          </button>
        </div>
      )
  }
}
