import { type BodyOf, passwordEndpoints } from '@pult/contract'
import { api } from '#platform/api.ts'

/** Not a mutation of the query cache, which would retain the passwords for a while. */
export const changePassword = (body: BodyOf<typeof passwordEndpoints.change>) =>
  api(passwordEndpoints.change, { body })
