import { useQuery } from '@tanstack/react-query'
import { type NotificationPreferences, setPreferences } from '#contract/rh/notifications.ts'
import { callRh } from '#web/api/calls.ts'
import { BrowserPermission } from './browser-permission.tsx'
import { ChoiceField } from '#web/parts/choice-field.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { preferencesQuery } from '#web/read/user-queries.ts'
import { useAction } from '#web/read/use-action.ts'

const wishes: Readonly<Record<NotificationPreferences['email'], string>> = {
  smart: 'What of mine broke, and what is well again',
  all: 'Every workflow that ended',
  none: 'Nothing',
}

/** How somebody is told about workflows that ended. */
export function NotificationSection() {
  const preferences = useQuery(preferencesQuery)
  const save = useAction((body: Partial<NotificationPreferences>) => callRh(setPreferences, { body }))
  return (
    <>
      <SectionHead
        name="Notifications"
        about="What you are told of the projects that you follow, and of your own pipelines."
      />
      <QueryView query={preferences}>
        {({ email, browser, email_works }) => (
          <>
            <ChoiceField
              label="By e-mail"
              value={email}
              choices={wishes}
              disabled={save.isPending}
              onChoice={(wish) => save.mutate({ email: wish })}
            />
            {!email_works && (
              <p className="note">
                No mail reaches you yet: either this server sends none, or it does not know your address. Ask whoever
                runs it; the choice is kept for then.
              </p>
            )}
            <ChoiceField
              label="In the browser"
              value={browser}
              choices={wishes}
              disabled={save.isPending}
              onChoice={(wish) => save.mutate({ browser: wish })}
            />
            <BrowserPermission wished={browser !== 'none'} />
            <Trouble error={save.error} />
            {save.isSuccess && (
              <p role="status" className="done">
                Kept.
              </p>
            )}
          </>
        )}
      </QueryView>
    </>
  )
}
