import { AppError } from '#platform/app-error.ts'
import type { Caller, Permission } from '#platform/http/route.ts'

function signedInCaller(caller: Caller | null): Caller {
  if (caller === null) throw new AppError('UNAUTHENTICATED')
  return caller
}

export const anyone: Permission = { name: 'anyone', credentials: [], decide: (caller) => caller }

export const signedIn: Permission<Caller> = { name: 'signed in', decide: signedInCaller }

/** Rejects a session that was authenticated too long ago: RULE-15 lists the actions. */
export function requireRecentSignIn({ isRecent }: Caller): void {
  if (!isRecent) throw new AppError('RECENT_SIGN_IN_NEEDED')
}

/** Adds to a check that root has signed in recently: the call gives roles, or invites to them (RULE-15). */
export const recentlyIfRoot =
  (check: (caller: Caller, projectId: string) => Promise<unknown>) =>
  async (caller: Caller, projectId: string): Promise<void> => {
    await check(caller, projectId)
    if (caller.isRoot) requireRecentSignIn(caller)
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
