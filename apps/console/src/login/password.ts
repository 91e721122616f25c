import { lateModule } from '#platform/late-module.ts'

/** Fetched while somebody types the username. */
export const passwordCalls = lateModule(() => import('./password-calls.ts'))
