import type { Credentials } from '@pult/contract'
import { session } from './session.ts'
import { useStore } from './use-store.ts'

/** Returns the signed-in user's credentials. Throws when the user is signed out. */
export function useCredentials(): Credentials {
  const current = useStore(session)
  if (current.status !== 'signed-in') throw new Error('No user is signed in')
  return current.credentials
}
