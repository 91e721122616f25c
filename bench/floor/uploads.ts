import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'

/** Streams a body into a file and flushes it to disk at the end. */
export function addUploads(app: FastifyInstance, folder: string): void {
  let count = 0
  app.register(async (scope) => {
    scope.addContentTypeParser('application/octet-stream', (_request, _body, done) => done(null))
    scope.put('/upload', async ({ raw }) => {
      count += 1
      await pipeline(raw, createWriteStream(join(folder, `upload-${count}`), { flush: true }))
      return true
    })
  })
}
