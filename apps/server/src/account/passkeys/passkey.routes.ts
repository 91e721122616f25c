import { passkeyEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { recentlySignedIn, signedIn } from '../../auth/permissions.ts'
import type { PasskeyService } from './passkey.service.ts'

export function addPasskeyRoutes(app: FastifyInstance, passkeys: PasskeyService): void {
  route(app, passkeyEndpoints.list, { allow: signedIn }, async ({ caller }) => {
    const items = await passkeys.list(caller.personId)
    return { items, total: items.length }
  })

  route(app, passkeyEndpoints.registerOptions, { allow: recentlySignedIn }, ({ caller }) =>
    passkeys.startRegistration(caller),
  )

  route(
    app,
    passkeyEndpoints.registerResult,
    { allow: recentlySignedIn },
    async ({ caller, body, address }) => ({
      verified: true as const,
      meta: await passkeys.finishRegistration(caller, body, address),
    }),
  )

  route(app, passkeyEndpoints.remove, { allow: recentlySignedIn }, async ({ caller, params, address }) => {
    await passkeys.remove(caller, params.passkeyId, address)
    return true as const
  })
}
