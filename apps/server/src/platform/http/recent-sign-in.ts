import { AppError } from '../app-error.ts'
import type { Caller, Permission } from './route.ts'

/*
 * Step-up authentication (RULE-15). A call that runs something on several machines, gives rights, or deletes for many
 * needs a recent sign-in. `proof-by-effect.test.ts` lists the decision for each call.
 */

/** Rejects a session that was authenticated too long ago. */
export function requireRecentSignIn({ isRecent }: Pick<Caller, 'isRecent'>): void {
  if (!isRecent) throw new AppError('RECENT_SIGN_IN_NEEDED')
}

/** Adds a recent sign-in to a permission, which decides first. */
export const recently = (allow: Permission<Caller>): Permission<Caller> => ({
  name: `${allow.name}, signed in recently`,
  async decide(caller, params, request) {
    const known = await allow.decide(caller, params, request)
    requireRecentSignIn(known)
    return known
  },
})
