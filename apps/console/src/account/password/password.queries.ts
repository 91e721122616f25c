import { type BodyOf, passwordEndpoints } from '@pult/contract'
import { api } from '#platform/api.ts'
import { withRecentSignIn } from '../../recent-sign-in/recent-sign-in.queries.ts'

/** No mutation of the query cache: that would remember the passwords for a while. */
export const changePassword = (body: BodyOf<typeof passwordEndpoints.change>) =>
  withRecentSignIn(() => api(passwordEndpoints.change, { body }))
