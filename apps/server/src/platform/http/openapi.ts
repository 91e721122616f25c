import swagger from '@fastify/swagger'
import { apiBase } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { docsPage, docsStyles } from './openapi-page.ts'

/** Register it before the routes: it collects them as they are added. */
export async function describeApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Pult',
        version,
        description:
          'Every call of the console and of programs. An error answers `{code, message}`; programs branch on the code.',
      },
      servers: [{ url: '/' }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      security: [{ token: [] }],
    },
    transform: jsonSchemaTransform,
  })

  app.get(
    `${apiBase}/openapi.json`,
    { schema: { hide: true }, config: { permission: 'anyone' } },
    async (_request, reply) => reply.type('application/json').send(JSON.stringify(app.swagger())),
  )
  app.get(
    `${apiBase}/docs`,
    { schema: { hide: true }, config: { permission: 'anyone' } },
    async (_request, reply) => reply.type('text/html; charset=utf-8').send(docsPage(app.swagger())),
  )
  app.get(
    `${apiBase}/docs.css`,
    { schema: { hide: true }, config: { permission: 'anyone' } },
    async (_request, reply) => reply.type('text/css').send(docsStyles),
  )
}
