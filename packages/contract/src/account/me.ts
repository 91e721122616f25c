import { endpoint } from '../endpoint.ts'
import { credentials } from './credentials.ts'

export const meEndpoints = {
  read: endpoint('GET', '/me', {
    summary: 'Returns the signed-in account and its scope.',
    reply: credentials,
    errors: ['UNAUTHENTICATED'],
  }),
}
