import { lateModule } from './late-module.ts'

/** Who somebody is, asked of the server. */
export const identityCalls = lateModule(() => import('./identity-calls.ts'))
