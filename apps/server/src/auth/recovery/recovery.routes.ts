import { recoveryEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { anyone } from '../permissions.ts'
import type { RecoveryService } from './recovery.service.ts'

export function addRecoveryRoutes(app: FastifyInstance, recovery: RecoveryService): void {
  route(
    app,
    recoveryEndpoints.resetPassword,
    { allow: anyone },
    async ({ body, address, device, language }) => {
      await recovery.requestPasswordReset(body.username, { address, device }, language)
      return true as const
    },
  )

  route(app, recoveryEndpoints.recoverOtp, { allow: anyone }, async ({ body, address, device, language }) => {
    await recovery.requestOtpRecovery(body.voucher, { address, device }, language)
    return true as const
  })
}
