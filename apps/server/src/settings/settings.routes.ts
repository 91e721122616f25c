import { settingsEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { signedIn } from '../auth/permissions.ts'
import type { SettingsService } from './settings.service.ts'

export function addSettingsRoutes(app: FastifyInstance, settings: SettingsService): void {
  route(app, settingsEndpoints.read, { allow: signedIn }, ({ caller }) => settings.read(caller))

  route(app, settingsEndpoints.update, { allow: signedIn }, ({ caller, body, revision }) =>
    settings.update(caller, body, revision),
  )
}
