import { type ConfirmationMethods, confirmEndpoints } from '@pult/contract'
import { api } from '#platform/api.ts'

/* All code of the step-up dialog in one chunk. Few users ever see it, so it is not part of the frame. */

export { RecentSignInDialog } from './RecentSignInDialog.tsx'

/** Reads the methods by which the user can confirm their identity. */
export const readMethods = (): Promise<ConfirmationMethods> => api(confirmEndpoints.methods)
