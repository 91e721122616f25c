import { type Profile, profileEndpoints } from '@pult/contract'
import { useMutation } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { identifySession, session } from '#platform/session.ts'

/** Sends only changed fields. The header shows the new name immediately. */
export const useUpdateProfile = () =>
  useMutation({
    mutationFn: (changes: Partial<Profile>) => api(profileEndpoints.update, { body: changes }),
    onSuccess: ({ firstname, lastname }) => {
      const current = session.get()
      if (current.status === 'signed-in') {
        identifySession({ ...current.credentials, firstname, lastname })
      }
    },
  })
