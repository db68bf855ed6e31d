import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { useParams } from 'react-router'
import { userPage } from '#web/address.ts'
import { NotFoundPage } from '#web/pages/not-found-page.tsx'
import { SideNav } from '#web/parts/side-nav.tsx'
import { sessionQuery } from '#web/read/queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { AccessSection } from './access-section.tsx'
import { LookSection } from './look-section.tsx'
import { NotificationSection } from './notification-section.tsx'
import { UserKeySection } from './user-key-section.tsx'
import { UserTokenSection } from './user-token-section.tsx'

const sections: readonly { readonly word: string; readonly name: string; readonly view: ComponentType }[] = [
  { word: 'tokens', name: 'Personal tokens', view: UserTokenSection },
  { word: 'keys', name: 'SSH keys', view: UserKeySection },
  { word: 'notifications', name: 'Notifications', view: NotificationSection },
  { word: 'look', name: 'Look', view: LookSection },
  { word: 'access', name: 'Password and sign-ins', view: AccessSection },
]

/** What belongs to whoever reads it. */
export function UserPage() {
  const { section: word = 'tokens' } = useParams()
  const { data: user } = useQuery(sessionQuery)
  const section = sections.find((one) => one.word === word)
  useTitle(section?.name ?? 'You')
  if (!section) return <NotFoundPage />
  return (
    <>
      <h1>{user?.name === undefined || user.name === '' ? user?.login : user.name}</h1>
      <SideNav
        name="Your settings"
        sections={sections.map((one) => ({ name: one.name, to: userPage(one.word), current: one === section }))}
      >
        <section.view />
      </SideNav>
    </>
  )
}
