import { apiBase, loginEndpoints, meEndpoints, passkeyLoginEndpoints, sessionEndpoints } from '@pult/contract'
import { signInWork } from '../database/pool-shares.ts'

/** No user can sign in without these. The start of a console is absent, because it also reads projects. */
const signInCalls: ReadonlySet<string> = new Set(
  [
    ...Object.values(loginEndpoints),
    ...Object.values(passkeyLoginEndpoints),
    sessionEndpoints.reissue,
    meEndpoints.read,
  ].map(({ method, path }) => `${method} ${apiBase}${path}`),
)

/** Returns the kind of work of a call, whose route is a pattern. Requests without a route are of one kind. */
export function kindOfCall(method: string, route = 'none'): string {
  const call = `${method} ${route}`
  return signInCalls.has(call) ? signInWork : call
}
