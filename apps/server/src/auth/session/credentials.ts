import type { Credentials } from '@pult/contract'
import type { Caller } from '#platform/http/route.ts'

export function credentialsOf(caller: Caller): Credentials {
  return {
    _id: caller.personId,
    scope: [...caller.scope],
    email: caller.email,
    firstname: caller.firstname,
    lastname: caller.lastname,
    otpEnabled: caller.otpEnabled,
    isRoot: caller.isRoot,
  }
}
