import { useQuery } from '@tanstack/react-query'
import { getPreferences, type NotificationPreferences, setPreferences } from '#contract/rh/notifications.ts'
import { callRh } from '#web/api/calls.ts'
import { ChoiceField } from '#web/parts/choice-field.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { useAction } from '#web/read/use-action.ts'

const wishes: Readonly<Record<NotificationPreferences['email'], string>> = {
  smart: 'What of mine broke, and what is well again',
  all: 'Every workflow that ended',
  none: 'Nothing',
}

/** How somebody is told about workflows that ended. */
export function NotificationSection() {
  const preferences = useQuery({
    queryKey: ['preferences'],
    queryFn: ({ signal }) => callRh(getPreferences, {}, { signal }),
  })
  const save = useAction((body: Partial<NotificationPreferences>) => callRh(setPreferences, { body }))
  return (
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
              No mail reaches you yet: either this server sends none, or it does not know your address. Ask whoever runs
              it; the choice is kept for then.
            </p>
          )}
          <ChoiceField
            label="In the browser"
            value={browser}
            choices={wishes}
            disabled={save.isPending}
            onChoice={(wish) => save.mutate({ browser: wish })}
          />
          <Trouble error={save.error} />
          {save.isSuccess && <p role="status">Kept.</p>}
        </>
      )}
    </QueryView>
  )
}
