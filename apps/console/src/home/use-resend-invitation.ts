import { texts } from '#platform/desk/desk.texts.ts'
import { notify } from '#platform/notify.ts'
import { createStore } from '#platform/store.ts'
import { useResend } from './home.queries.ts'

const words = texts.home

/** Without a mail server, root passes this link on. */
export const unsentInvitation = createStore<{ email: string; link: string } | null>(null)

/** Sends an invitation again and reports the result. */
export function useResendInvitation(
  projectId: string,
): (invitationId: string, email: string) => Promise<void> {
  const { mutateAsync: resend } = useResend(projectId)
  return async (invitationId, email) => {
    try {
      const { isMailed, link } = await resend(invitationId)
      unsentInvitation.set(link === undefined ? null : { email, link })
      if (isMailed) notify.success(words.resent(email))
      else if (link === undefined) notify.info(words.waits(email), words.waitsText)
    } catch (error) {
      notify.error(words.resendFailed, error)
    }
  }
}
