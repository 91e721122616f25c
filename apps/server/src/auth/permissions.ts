import { AppError } from '#platform/app-error.ts'
import type { Caller, Permission } from '#platform/http/route.ts'

function signedInCaller(caller: Caller | null): Caller {
  if (caller === null) throw new AppError('UNAUTHENTICATED')
  return caller
}

export const anyone: Permission = { name: 'anyone', decide: (caller) => caller }

export const signedIn: Permission<Caller> = { name: 'signed in', decide: signedInCaller }

/** Signed in, and that a short time ago or confirmed since: for changes to how somebody signs in. */
export const recentlySignedIn: Permission<Caller> = {
  name: 'signed in recently',
  decide(caller) {
    const known = signedInCaller(caller)
    if (!known.isRecent) throw new AppError('RECENT_SIGN_IN_NEEDED')
    return known
  },
}

export const root: Permission<Caller> = {
  name: 'root',
  decide(caller) {
    const known = signedInCaller(caller)
    if (!known.isRoot) throw new AppError('FORBIDDEN')
    return known
  },
}

/** Root who signed in a short time ago or confirmed since: for changes to how others sign in. */
export const rootRecently: Permission<Caller> = {
  name: 'root, signed in recently',
  decide: async (caller, params) => recentlySignedIn.decide(await root.decide(caller, params), params),
}
