import { endpoint } from '../endpoint.ts'
import { credentials } from './credentials.ts'

export const meEndpoints = {
  read: endpoint('GET', '/me', {
    summary: 'Who is signed in and what they may do.',
    reply: credentials,
    errors: ['UNAUTHENTICATED'],
  }),
}
