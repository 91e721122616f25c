import { otpEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { recentlySignedIn, signedIn } from '../../auth/permissions.ts'
import type { OtpService } from './otp.service.ts'

export function addOtpRoutes(app: FastifyInstance, otp: OtpService): void {
  route(app, otpEndpoints.read, { allow: signedIn }, ({ caller }) => otp.read(caller.personId))

  route(app, otpEndpoints.init, { allow: recentlySignedIn }, ({ caller }) => otp.init(caller))

  route(app, otpEndpoints.activate, { allow: recentlySignedIn }, async ({ caller, body, address }) => {
    await otp.activate(caller, body.otp, address)
    return true as const
  })

  route(app, otpEndpoints.disable, { allow: recentlySignedIn }, async ({ caller, address }) => {
    await otp.disable(caller, address)
    return true as const
  })

  route(app, otpEndpoints.renewRecoveryCodes, { allow: recentlySignedIn }, async ({ caller, address }) => ({
    recoveryCodes: await otp.renewRecoveryCodes(caller, address),
  }))
}
