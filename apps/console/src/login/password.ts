import { lateModule } from '#platform/late-module.ts'

/** Loads while the user types the username. */
export const passwordCalls = lateModule(() => import('./password-calls.ts'))
