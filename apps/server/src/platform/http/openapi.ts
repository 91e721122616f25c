import { apiBase } from '@pult/contract'
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { ApiDocument, ApiInstallation } from './openapi-document.ts'
import { docsPage, docsStyles } from './openapi-page.ts'

/** Must be registered before the routes, because it collects them as they are added. */
export function describeApi(app: FastifyInstance, installation: ApiInstallation): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    routes.push(route)
  })
  let made: ReturnType<typeof make> | undefined
  /** The bodies never change, so all replies share their bytes. */
  const bodies = () => (made ??= make())
  async function make() {
    const document = await describe(routes, installation)
    return { json: Buffer.from(JSON.stringify(document)), page: Buffer.from(docsPage(document)) }
  }
  const styles = Buffer.from(docsStyles)

  app.get(
    `${apiBase}/openapi.json`,
    { schema: { hide: true }, config: { permission: 'anyone' } },
    async (_request, reply) => reply.type('application/json; charset=utf-8').send((await bodies()).json),
  )
  app.get(
    `${apiBase}/docs`,
    { schema: { hide: true }, config: { permission: 'anyone' } },
    async (_request, reply) => reply.type('text/html; charset=utf-8').send((await bodies()).page),
  )
  app.get(
    `${apiBase}/docs.css`,
    { schema: { hide: true }, config: { permission: 'anyone' } },
    async (_request, reply) => reply.type('text/css; charset=utf-8').send(styles),
  )
}

/**
 * The library collects routes as they are registered. On the main server it would hold 8 MB for a document that is
 * rarely requested, so a second server registers them on request.
 */
async function describe(routes: readonly RouteOptions[], installation: ApiInstallation) {
  const [{ fastify }, { default: swagger }, { jsonSchemaTransform }, { completed, head }] = await Promise.all(
    [
      import('fastify'),
      import('@fastify/swagger'),
      import('fastify-type-provider-zod'),
      import('./openapi-document.ts'),
    ],
  )
  const listed = fastify({ exposeHeadRoutes: false })
  listed.setValidatorCompiler(() => () => true)
  listed.setSerializerCompiler(() => JSON.stringify)
  await listed.register(swagger, { openapi: head(installation), transform: jsonSchemaTransform })
  for (const { method, url, schema } of routes) {
    // Each GET also answers HEAD.
    const methods = [method].flat().filter((each) => each !== 'HEAD')
    if (methods.length > 0)
      listed.route({ method: methods, url, handler: () => {}, ...(schema && { schema }) })
  }
  await listed.ready()
  return completed(listed.swagger() as ApiDocument)
}
