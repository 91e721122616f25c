import { type Profile, profileEndpoints } from '@pult/contract'
import { useChange } from '@pult/sdk'
import { identifySession, session } from '#platform/session.ts'

/** Sends only changed fields. The header shows the new name immediately. */
export const useUpdateProfile = () =>
  useChange(profileEndpoints.update, (body: Partial<Profile>) => ({ body }), {
    touches: [],
    onSuccess: ({ firstname, lastname }) => {
      const current = session.get()
      if (current.status === 'signed-in') {
        identifySession({ ...current.credentials, firstname, lastname })
      }
    },
  })
