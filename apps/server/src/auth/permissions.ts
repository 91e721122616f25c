import { AppError } from '#platform/app-error.ts'
import { recently, requireRecentSignIn } from '#platform/http/recent-sign-in.ts'
import type { Caller, Permission } from '#platform/http/route.ts'

export { recently, requireRecentSignIn }

function signedInCaller(caller: Caller | null): Caller {
  if (caller === null) throw new AppError('UNAUTHENTICATED')
  return caller
}

export const anyone: Permission = { name: 'anyone', credentials: [], decide: (caller) => caller }

export const signedIn: Permission<Caller> = { name: 'signed in', decide: signedInCaller }

/** Adds a recent sign-in to the check of a handler, which decides first. */
export const checkedRecently =
  (check: (caller: Caller, projectId: string) => Promise<unknown>) =>
  async (caller: Caller, projectId: string): Promise<void> => {
    await check(caller, projectId)
    requireRecentSignIn(caller)
  }

export const recentlySignedIn: Permission<Caller> = { ...recently(signedIn), name: 'signed in recently' }

export const root: Permission<Caller> = {
  name: 'root',
  decide(caller) {
    const known = signedInCaller(caller)
    if (!known.isRoot) throw new AppError('FORBIDDEN')
    return known
  },
}

export const rootRecently = recently(root)

/** Allows root alone, where the other permission returns 404 for an unknown or invisible record. */
export const rootAnd = (allow: Permission<Caller>): Permission<Caller> => ({
  name: `${root.name} with the ${allow.name}`,
  decide: async (caller, params) => root.decide(await allow.decide(caller, params), params),
})
