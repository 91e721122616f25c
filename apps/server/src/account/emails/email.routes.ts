import { emailEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { recentlySignedIn, signedIn } from '../../auth/permissions.ts'
import type { EmailService } from './email.service.ts'

export function addEmailRoutes(app: FastifyInstance, emails: EmailService): void {
  route(app, emailEndpoints.list, { allow: signedIn }, async ({ caller }) => {
    const items = await emails.list(caller.personId)
    return { items, total: items.length }
  })

  route(app, emailEndpoints.create, { allow: recentlySignedIn }, ({ caller, body, address }) =>
    emails.add(caller, body.email, address),
  )

  route(app, emailEndpoints.remove, { allow: signedIn }, async ({ caller, params, address }) => {
    await emails.remove(caller, params.emailId, address)
    return true as const
  })

  route(app, emailEndpoints.verify, { allow: signedIn }, ({ caller, params }) =>
    emails.sendVerification(caller, params.emailId),
  )

  route(app, emailEndpoints.setDefault, { allow: recentlySignedIn }, ({ caller, params, address }) =>
    emails.setDefault(caller, params.emailId, address),
  )
}
