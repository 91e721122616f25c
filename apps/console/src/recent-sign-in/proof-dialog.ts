import { type ConfirmationMethods, confirmEndpoints } from '@pult/contract'
import { api } from '#platform/api.ts'

/* What asking for a proof takes, in one piece: few people are ever asked, so that the frame comes without. */

export { RecentSignInDialog } from './RecentSignInDialog.tsx'

/** By what the person can prove that it is still them. */
export const readMethods = (): Promise<ConfirmationMethods> => api(confirmEndpoints.methods)
