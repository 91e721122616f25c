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
      'Returns a new token and the account of the session; the old token works until 60 seconds after the first use of the new one.',
    reply: z.object({ token: z.string(), credentials }),
    errors: ['UNAUTHENTICATED'],
  }),
  logout: endpoint('POST', '/auth/logout', {
    summary: 'Ends the session on the server and closes its sockets.',
    reply: done,
    errors: ['UNAUTHENTICATED'],
  }),
}
