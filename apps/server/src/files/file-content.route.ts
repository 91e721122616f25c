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

/** Runs no script and loads nothing, even if a browser opens the file as a document. */
const policy = "sandbox; default-src 'none'"

/** Seconds for which a browser may reuse a redirection to the file store. */
const redirection = 150

/** Seconds for which the store's address works after the check of the link. */
const storeAddress = 2 * redirection

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Serves files by signed link, without a token. Browsers ask before they reuse a file, so that a lost right ends a link
 * with the next request.
 */
export function addFileContentRoute(
  app: FastifyInstance,
  { files, driver }: { files: FileService; driver: FileDriver },
): void {
  app.route<Address>({
    method: ['GET', 'HEAD'],
    url: `${apiBase}/files/:fileId/content`,
    config: { permission: 'holder of a signed link' },
    schema: {
      summary: 'The bytes of a file by signed link. Supports ranges.',
      description: 'Allowed: holder of a signed link.',
      tags: ['files'],
    },
    handler: async (request, reply) => {
      const fileId = uuid.test(request.params.fileId) ? request.params.fileId : ''
      const { file, isInline, left } = await files.linked(fileId, request.query)
      const disposition = dispositionOf(isInline ? 'inline' : 'attachment', file.name)
      reply.headers({
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      })
      if (driver.uploads.kind === 'direct') {
        const { contentType, filename } = file
        const url = await driver.uploads.addressToGet(filename, { contentType, disposition }, storeAddress)
        reply.header('cache-control', `private, max-age=${Math.min(left, redirection)}`)
        return reply.redirect(url, 307)
      }
      reply.headers({
        'content-type': file.contentType,
        'content-disposition': disposition,
        'cache-control': 'private, no-cache',
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
    // The redirect contains no content.
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
