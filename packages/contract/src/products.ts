import * as z from 'zod/mini'
import { listOf } from './collection.ts'
import { endpoint } from './endpoint.ts'

const productRole = z.object({
  /** `product/role`, as grants carry it. */
  id: z.string(),
  label: z.string(),
  /** The scope roles in a project: roles of apps (`reports`) and of their tabs and elements (`reports:export`). */
  roles: z.array(z.string()),
})

/** What an installation offers to its projects: apps, and roles to use them by. */
const product = z.object({
  sku: z.string(),
  label: z.string(),
  /** What its extension does; empty without a description. */
  description: z.string(),
  /** A new project uses it unless its creator decides otherwise. */
  isSuggested: z.boolean(),
  /** The extension that defines it. */
  extension: z.string(),
  roles: z.array(productRole),
})
export type Product = z.infer<typeof product>

/** Products of every new project: its people and its notes. */
export const firstProducts: readonly string[] = ['project']

export const productEndpoints = {
  list: endpoint('GET', '/products', {
    summary: 'The products of this installation, as the manifests of its extensions describe them.',
    reply: listOf(product),
    errors: ['UNAUTHENTICATED'],
  }),
}
