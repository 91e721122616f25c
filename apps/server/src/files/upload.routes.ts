import { apiBase } from '@pult/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import type { IncomingBytes, UploadService } from './upload.service.ts'

/** Milliseconds in which something of a body has to come. */
const silenceMost = 20_000

/** How long a client is listened to that sends on what has been refused: only then does it hear why. */
const lingering = 1000

interface Address {
  Params: { ticket: string }
}

/** Where bytes go. The address is the proof: whoever knows it was given it. */
export function addUploadRoutes(app: FastifyInstance, uploads: UploadService): void {
  const url = `${apiBase}/uploads/:ticket`
  const config = { permission: 'who was given the address', takesItsTime: true }
  const tags = ['files']

  app.register(async (scope) => {
    // The body is no value: it is written as it comes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))

    scope.head<Address>(
      url,
      { config, schema: { summary: 'How many bytes of an upload are there: `upload-offset`.', tags } },
      async ({ params }, reply) => {
        const { received, size } = await uploads.received(params.ticket)
        return reply.headers({ 'upload-offset': received, 'upload-length': size }).send()
      },
    )

    scope.put<Address>(
      url,
      {
        config,
        schema: {
          summary: 'Takes the bytes of a file that was announced with POST /files. Answers the file.',
          description: `Allowed: ${config.permission}.`,
          tags,
        },
      },
      async (request, reply) => {
        const { raw } = request
        raw.setTimeout(silenceMost, () => raw.destroy())
        try {
          return await uploads.receive(request.params.ticket, bytesOf(request))
        } catch (error) {
          // Nobody is there any more to be told.
          if (raw.destroyed && !raw.readableEnded) {
            reply.hijack()
            return undefined
          }
          if (!raw.readableEnded) hearOut(request)
          throw error
        } finally {
          raw.setTimeout(0)
        }
      },
    )
  })
}

function hearOut({ raw }: FastifyRequest): void {
  const end = setTimeout(() => raw.destroy(), lingering)
  raw.once('close', () => clearTimeout(end)).resume()
}

function bytesOf({ headers, raw }: FastifyRequest): IncomingBytes {
  const length = headers['content-length']
  return {
    contentType: headers['content-type'] ?? '',
    length: length === undefined ? undefined : Number(length),
    range: rangeOf(headers['content-range']),
    body: raw,
  }
}

/** RFC 9110 14.4, with a length that is known. */
function rangeOf(header: string | undefined): IncomingBytes['range'] {
  if (header === undefined) return undefined
  const [, first, last, size] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header) ?? []
  if (first === undefined) throw new AppError('VALIDATION_FAILED', { message: 'The range cannot be read' })
  return { first: Number(first), last: Number(last), size: Number(size) }
}
