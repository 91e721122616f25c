import { lateModule } from './late-module.ts'

/** Loads the calls about the user's identity. */
export const identityCalls = lateModule(() => import('./identity-calls.ts'))
