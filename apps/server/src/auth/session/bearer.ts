import type { FastifyRequest } from 'fastify'

const longestToken = 200

/** Returns the token of the authorization header, with or without the word Bearer. URLs never contain a token. */
export function tokenOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  const token = header.replace(/^Bearer +/i, '').trim()
  return token === '' || token.length > longestToken ? undefined : token
}

/** The console marks its polls with this header, so that an unattended screen still goes idle. */
export const isBackground = (request: FastifyRequest) => request.headers['x-pult-background'] === '1'
