import { streamDeckEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { signedIn } from '../../auth/permissions.ts'
import type { StreamDeckService } from './stream-deck.service.ts'

export function addStreamDeckRoutes(app: FastifyInstance, decks: StreamDeckService): void {
  route(app, streamDeckEndpoints.read, { allow: signedIn }, ({ caller }) => decks.read(caller))

  route(app, streamDeckEndpoints.update, { allow: signedIn }, ({ caller, body, revision }) =>
    decks.update(caller, body, revision),
  )

  route(app, streamDeckEndpoints.press, { allow: signedIn }, ({ caller, body, address }) =>
    decks.press(caller, body, address),
  )
}
