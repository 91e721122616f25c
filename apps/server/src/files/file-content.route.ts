import { apiBase } from '@pult/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FileDriver } from '#platform/files/file-driver.ts'
import { byteRange } from './byte-range.ts'
import type { FoundFile } from './file.repository.ts'
import type { FileService } from './file.service.ts'
import { dispositionOf } from './file-name.ts'

interface Address {
  Params: { fileId: string }
  Querystring: Record<string, unknown>
}

/** Nothing in a file runs, loads or is sent anywhere, even if a browser opens it as a document of its own. */
const policy = "sandbox; default-src 'none'"

/** How long the address of a file store is good to which a reader is sent. */
const redirection = 300

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What the address of a signed link shows. No session is asked for: the link says who may read. */
export function addFileContentRoute(
  app: FastifyInstance,
  { files, driver }: { files: FileService; driver: FileDriver },
): void {
  app.route<Address>({
    method: ['GET', 'HEAD'],
    url: `${apiBase}/files/:fileId/content`,
    config: { permission: 'who knows a signed link' },
    schema: {
      summary: 'The bytes of a file, for whoever was given this address. Knows ranges.',
      description: 'Allowed: who knows a signed link.',
      tags: ['files'],
    },
    handler: async (request, reply) => {
      const fileId = uuid.test(request.params.fileId) ? request.params.fileId : ''
      const { file, isInline, until } = await files.linked(fileId, request.query)
      const disposition = dispositionOf(isInline ? 'inline' : 'attachment', file.name)
      const left = Math.max(0, until - Math.ceil(Date.now() / 1000))
      reply.headers({
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      })
      if (driver.uploads.kind === 'direct') {
        const { contentType, filename } = file
        const url = await driver.uploads.addressToGet(filename, { contentType, disposition }, redirection)
        reply.header('cache-control', `private, max-age=${Math.min(left, redirection / 2)}`)
        return reply.redirect(url, 307)
      }
      reply.headers({
        'content-type': file.contentType,
        'content-disposition': disposition,
        'cache-control': `private, max-age=${left}, immutable`,
        'accept-ranges': 'bytes',
        etag: `"${file.id}"`,
      })
      return sendBytes(request, reply, { file, open: files.open })
    },
  })
}

async function sendBytes(
  { headers, method }: FastifyRequest<Address>,
  reply: FastifyReply,
  { file, open }: { file: FoundFile; open: FileService['open'] },
): Promise<FastifyReply> {
  const etag = `"${file.id}"`
  if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send()
  const asked = headers['if-range'] === undefined || headers['if-range'] === etag ? headers.range : undefined
  const range = byteRange(asked, file.size)
  if (range === 'not there') {
    // Nothing of the file is in this answer.
    for (const name of ['content-type', 'content-disposition', 'etag']) reply.removeHeader(name)
    return reply
      .code(416)
      .headers({ 'content-range': `bytes */${file.size}`, 'cache-control': 'no-store' })
      .send()
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  if (range !== undefined) reply.code(206).header('content-range', `bytes ${start}-${end}/${file.size}`)
  reply.header('content-length', end - start + 1)
  if (method === 'HEAD' || file.size === 0) return reply.send()
  return reply.send(await open(file.filename, { start, end }))
}

const isKnown = (header: string | undefined, etag: string) =>
  header?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*') === true
