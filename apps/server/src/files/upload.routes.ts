import { apiBase } from '@pult/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import type { IncomingBytes, UploadService } from './upload.service.ts'

/** Milliseconds without data after which an upload is aborted. */
const silenceMost = 20_000

/**
 * Milliseconds for which the server reads the rest of a refused body. Some clients read the answer only after they have
 * sent all bytes.
 */
const lingering = 1000

interface Address {
  Params: { ticket: string }
}

/** Receives uploaded bytes. The secret address is the authorisation. */
export function addUploadRoutes(app: FastifyInstance, uploads: UploadService): void {
  const url = `${apiBase}/uploads/:ticket`
  const config = { permission: 'holder of the upload address', hasSlowBody: true }
  const tags = ['files']

  app.register(async (scope) => {
    // The body is streamed and not parsed.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))

    scope.head<Address>(
      url,
      {
        config,
        schema: {
          summary:
            'The number of bytes received: `upload-offset`. While a transfer holds the ticket, `retry-after` names the end of its hold.',
          tags,
        },
      },
      async ({ params }, reply) => {
        const { received, size, heldFor } = await uploads.received(params.ticket)
        if (heldFor !== undefined) reply.header('retry-after', heldFor)
        return reply.headers({ 'upload-offset': received, 'upload-length': size }).send()
      },
    )

    scope.put<Address>(
      url,
      {
        config,
        schema: {
          summary: 'Receives the bytes of a file that was announced with POST /files, and returns the file.',
          description: `Allowed: ${config.permission}.`,
          tags,
        },
      },
      async (request, reply) => {
        const { raw } = request
        raw.setTimeout(silenceMost, () => raw.destroy())
        // The digest and the checks of a large file can take longer.
        raw.once('end', () => raw.setTimeout(0))
        try {
          return await uploads.receive(request.params.ticket, bytesOf(request))
        } catch (error) {
          // The client has disconnected, so no answer can be sent.
          if (raw.destroyed && !raw.readableEnded) {
            reply.hijack()
            return undefined
          }
          if (!raw.readableEnded) drain(request)
          throw error
        } finally {
          raw.setTimeout(0)
        }
      },
    )
  })
}

function drain({ raw }: FastifyRequest): void {
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

/** Parses a `content-range` with a known length (RFC 9110 14.4). */
function rangeOf(header: string | undefined): IncomingBytes['range'] {
  if (header === undefined) return undefined
  const [, first, last, size] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header) ?? []
  if (first === undefined)
    throw new AppError('VALIDATION_FAILED', { message: 'The content-range header is not valid' })
  return { first: Number(first), last: Number(last), size: Number(size) }
}
