import * as z from 'zod/mini'
import { credentials } from '../account/credentials.ts'
import { done } from '../collection.ts'
import { endpoint } from '../endpoint.ts'

export const sessionErrors = {
  UNAUTHENTICATED: { status: 401, message: 'Sign in first' },
} as const

export const sessionEndpoints = {
  reissue: endpoint('GET', '/auth/reissue', {
    summary:
      'Gives a new token for the session of the one sent, and whose session it is. The old token works until the new one is first used and 60 seconds more.',
    reply: z.object({ token: z.string(), credentials }),
    errors: ['UNAUTHENTICATED'],
  }),
  logout: endpoint('POST', '/auth/logout', {
    summary: 'Ends the session on the server, its sockets included.',
    reply: done,
    errors: ['UNAUTHENTICATED'],
  }),
}
