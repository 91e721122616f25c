import { AppError } from '#platform/app-error.ts'
import type { Caller, Permission } from '#platform/http/route.ts'

function signedInCaller(caller: Caller | null): Caller {
  if (caller === null) throw new AppError('UNAUTHENTICATED')
  return caller
}

export const anyone: Permission = { name: 'anyone', decide: (caller) => caller }

export const signedIn: Permission<Caller> = { name: 'signed in', decide: signedInCaller }
