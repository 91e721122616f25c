import * as z from 'zod/mini'
import { listOf } from './collection.ts'
import { endpoint } from './endpoint.ts'

const productRole = z.object({
  /** `product/role`, as grants carry it. */
  id: z.string(),
  label: z.string(),
  /** What it unfolds to in a project: roles of apps (`reports`) and of their tabs and elements (`reports:export`). */
  roles: z.array(z.string()),
})

/** What an installation offers to its projects: apps, and roles to use them by. */
export const product = z.object({
  sku: z.string(),
  label: z.string(),
  /** The extension that brings it. */
  extension: z.string(),
  roles: z.array(productRole),
})
export type Product = z.infer<typeof product>

export const productEndpoints = {
  list: endpoint('GET', '/products', {
    summary: 'The products of this installation, as the manifests of its extensions describe them.',
    reply: listOf(product),
    errors: ['UNAUTHENTICATED'],
  }),
}
