import { apiBase } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import { codingFor } from '#platform/http/console-files.ts'
import type { ExtensionService } from './extension.service.ts'
import { manifestSchema } from './manifests/manifest-schema.ts'
import { extensionBase } from './served-files.ts'

/** A picture that is opened as a document runs no script and loads nothing. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** Serves the public files of extensions, and the schema for their authors. */
export function addExtensionFileRoutes(app: FastifyInstance, extensions: ExtensionService): void {
  app.get(`${extensionBase}/*`, { schema: { hide: true } }, async (request, reply) => {
    const file = await extensions.fileAt(request.url, codingFor(request.headers['accept-encoding']))
    if (file === undefined) throw new AppError('NOT_FOUND')
    const { contentType, coding, body } = file
    return reply
      .type(contentType)
      .headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' })
      .headers(contentType.startsWith('image/') ? { 'content-security-policy': picturePolicy } : {})
      .headers(coding === 'identity' ? {} : { 'content-encoding': coding })
      .send(body)
  })

  const schema = Buffer.from(JSON.stringify(manifestSchema))
  app.get(
    `${apiBase}/extension-manifest.json`,
    { schema: { hide: true }, config: { permission: 'anyone' } },
    async (_request, reply) => reply.type('application/json; charset=utf-8').send(schema),
  )
}
