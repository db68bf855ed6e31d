import { getMe } from '#contract/v1/user.ts'
import { vcsUrl } from '#server/app/addresses.ts'
import type { App } from '#server/app/app.ts'
import { identityOf } from '#server/app/builds/people.ts'
import { followedProjectsOf } from '#server/app/followed.ts'
import { asUser } from '#server/app/permissions.ts'
import { maskedHostingKey } from '#server/app/ssh-keys.ts'
import { wishesOf } from '#server/app/preferences.ts'
import type { Serving } from '#server/api/serve.ts'

/** The signed-in user of generation 1.1. There are no plans and no trials here: those members say so. */
export function serveMe({ serve }: Serving, app: App): void {
  const { world } = app
  serve(getMe, async ({ caller }) => {
    const { user } = asUser(caller)
    const followed = await followedProjectsOf(app, asUser(caller))
    const identity = identityOf(world, user)
    const { hostedAs } = world.terms
    const hostingKey = await maskedHostingKey(world, asUser(caller))
    return {
      basic_email_prefs: (await wishesOf(app, user.id)).email,
      login: user.login,
      user_key_fingerprint: null,
      days_left_in_trial: 0,
      plan: null,
      trial_end: user.created_at,
      admin: user.admin === 1,
      name: user.name,
      avatar_url: user.avatar_url,
      created_at: user.created_at,
      selected_email: user.email,
      all_emails: user.email === null ? [] : [user.email],
      sign_in_count: 1,
      analytics_id: user.id,
      pusher_id: user.id,
      gravatar_id: null,
      parallelism: 1,
      containers: 1,
      student: false,
      dev_admin: false,
      in_beta_program: false,
      enrolled_betas: [],
      hosting_api_key: hostingKey,
      heroku_api_key: hostingKey,
      // The number by which builds name their people too.
      github_id: hostedAs === 'provider-a' ? identity.id : null,
      github_oauth_scopes: [],
      bitbucket: hostedAs === 'provider-b' ? identity.id : null,
      bitbucket_authorized: hostedAs === 'provider-b',
      identities: { [identity.type]: identity },
      projects: Object.fromEntries(
        followed.map((project) => [vcsUrl(world, project), { on_dashboard: true, emails: 'default' }]),
      ),
      num_projects_followed: followed.length,
      organization_prefs: {},
    }
  })
}
