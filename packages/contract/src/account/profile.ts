import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { personName } from './person-name.ts'

const profile = z.object({ firstname: z.string(), lastname: z.string() })
export type Profile = z.infer<typeof profile>

export const profileEndpoints = {
  update: endpoint('PUT', '/me/account/profile', {
    summary: 'Changes the given fields of the caller’s profile.',
    body: z.strictObject({ firstname: z.optional(personName), lastname: z.optional(personName) }),
    reply: profile,
    errors: ['UNAUTHENTICATED'],
  }),
}
