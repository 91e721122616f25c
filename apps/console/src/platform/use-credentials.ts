import type { Credentials } from '@pult/contract'
import { session } from './session.ts'
import { useStore } from './use-store.ts'

/** Who is signed in. For everything that the console shows to signed-in people only. */
export function useCredentials(): Credentials {
  const current = useStore(session)
  if (current.status !== 'signed-in') throw new Error('Nobody is signed in')
  return current.credentials
}
