import { useStore } from '#platform/use-store.ts'
import { proofRequest, recentSignInDialog } from './recent-sign-in.queries.ts'

/** Where `withRecentSignIn` asks. Stands once beside everything that a signed-in person sees. */
export function RecentSignIn() {
  const request = useStore(proofRequest)
  if (request === null) return null
  const { RecentSignInDialog } = recentSignInDialog.get()
  return <RecentSignInDialog {...request} />
}
