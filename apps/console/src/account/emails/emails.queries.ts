import { type Email, emailEndpoints } from '@pult/contract'
import { useCall, useChange } from '@pult/sdk'
import { identityCalls } from '#platform/identity.ts'
import { identifySession, session } from '#platform/session.ts'

/** An address, with the time (by this browser's clock) from which its verification mail may be resent. */
export interface ListedEmail extends Email {
  resendAt: number
}

/** The user's addresses, the default one first. */
export const useEmails = () => useCall(emailEndpoints.list, {})

const touches = ['/me/account/emails']

export const useAddEmail = () =>
  useChange(emailEndpoints.create, (email: string) => ({ body: { email } }), { touches })

const paramsOf = (emailId: string) => ({ params: { emailId } })

export const useRemoveEmail = () => useChange(emailEndpoints.remove, paramsOf, { touches })

export const useSendVerification = () => useChange(emailEndpoints.verify, paramsOf, { touches })

export const useSetDefaultEmail = () =>
  useChange(emailEndpoints.setDefault, paramsOf, {
    touches,
    onSuccess: async () => {
      // The header shows the default address.
      const credentials = await (await identityCalls.load()).readMe()
      if (session.get().status === 'signed-in') identifySession(credentials)
    },
  })
