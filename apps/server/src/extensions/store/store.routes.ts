import { storeEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { type Caller, type Permission, route } from '#platform/http/route.ts'
import { signedIn } from '../../auth/permissions.ts'
import { type FindProject, openedApp } from '../app-access.ts'
import type { ProductRegistry } from '../manifests/product-registry.ts'
import type { StoreService } from './store.service.ts'

interface StoreRoutesParts {
  store: StoreService
  products: ProductRegistry
  findProject: FindProject
}

export function addStoreRoutes(
  app: FastifyInstance,
  { store, products, findProject }: StoreRoutesParts,
): void {
  const allow: Permission<Caller> = {
    name: 'users who may open the app of the project',
    async decide(caller, { projectId = '', app: appId = '' }) {
      const known = await signedIn.decide(caller, {})
      await openedApp({ findApp: products.findApp, findProject }, known, { appId, projectId })
      return known
    },
  }

  route(app, storeEndpoints.list, { allow }, async ({ params, query }) => {
    const items = await store.list(params, query.prefix)
    return { items, total: items.length }
  })

  route(app, storeEndpoints.read, { allow }, ({ params }) => store.read(params, params.key))

  route(app, storeEndpoints.write, { allow }, ({ params, body, caller, revision }) =>
    store.write(params, params.key, body.value, { personId: caller.personId, revision }),
  )

  route(app, storeEndpoints.remove, { allow }, async ({ params, caller, revision }) => {
    await store.remove(params, params.key, { personId: caller.personId, revision })
    return true as const
  })
}
