import { Link } from 'react-router'
import { useTitle } from '#web/read/use-title.ts'

/** For an address that is none of ours. */
export function NotFoundPage() {
  useTitle('Not found')
  return (
    <>
      <h1>There is no such page</h1>
      <p>
        <Link to="/">Go to your projects</Link>
      </p>
    </>
  )
}
