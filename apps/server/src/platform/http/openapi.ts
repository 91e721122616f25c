import { apiBase } from '@pult/contract'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { docsPage, docsStyles } from './openapi-page.ts'

/** Must be registered before the routes, because it collects them as they are added. */
export function describeApi(app: FastifyInstance, version: string): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    routes.push(route)
  })
  let described: ReturnType<typeof describe> | undefined
  const document = () => (described ??= describe(routes, version))

  app.get(
    `${apiBase}/openapi.json`,
    { schema: { hide: true }, config: { permission: 'anyone' } },
    async (_request, reply) => reply.type('application/json').send(JSON.stringify(await document())),
  )
  app.get(
    `${apiBase}/docs`,
    { schema: { hide: true }, config: { permission: 'anyone' } },
    async (_request, reply) => reply.type('text/html; charset=utf-8').send(docsPage(await document())),
  )
  app.get(
    `${apiBase}/docs.css`,
    { schema: { hide: true }, config: { permission: 'anyone' } },
    async (_request, reply) => reply.type('text/css').send(docsStyles),
  )
}

/**
 * The library collects routes as they are registered. On the main server it would hold 8 MB for a document that is
 * rarely requested, so a second server registers them on request.
 */
async function describe(routes: readonly RouteOptions[], version: string) {
  const [{ fastify }, { default: swagger }, { jsonSchemaTransform }] = await Promise.all([
    import('fastify'),
    import('@fastify/swagger'),
    import('fastify-type-provider-zod'),
  ])
  const listed = fastify({ exposeHeadRoutes: false })
  listed.setValidatorCompiler(() => () => true)
  listed.setSerializerCompiler(() => JSON.stringify)
  await listed.register(swagger, {
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
  for (const { method, url, schema } of routes)
    if (method !== 'HEAD') listed.route({ method, url, handler: () => {}, ...(schema && { schema }) })
  await listed.ready()
  return listed.swagger()
}
