import * as z from 'zod/mini'
import { listOf } from './collection.ts'
import { endpoint } from './endpoint.ts'

const productRole = z.object({
  /** `product/role`, as in grants. */
  id: z.string(),
  /** Names the roles of apps of other extensions, if it gives any: `Reader (+ edges:manage)`. */
  label: z.string(),
  /** The scope roles in a project: roles of apps (`reports`) and of their tabs and elements (`reports:export`). */
  roles: z.array(z.string()),
})

/** A set of roles that an extension offers to projects. */
const product = z.object({
  sku: z.string(),
  label: z.string(),
  /** Description of the extension; empty without one. */
  description: z.string(),
  /** Whether a new project uses the product by default. */
  isSuggested: z.boolean(),
  /** Id of the extension that defines the product. */
  extension: z.string(),
  roles: z.array(productRole),
  /** Kinds of tasks that services drive in projects with this product. */
  tasks: z._default(
    z.array(
      z.object({
        /** The `type` of these tasks: `extension/kind`. */
        type: z.string(),
        label: z.string(),
      }),
    ),
    [],
  ),
})
export type Product = z.infer<typeof product>

/** Products of every new project. */
export const firstProducts: readonly string[] = ['project']

export const productEndpoints = {
  list: endpoint('GET', '/products', {
    summary: 'Lists the products of this installation, as the manifests of its extensions describe them.',
    reply: listOf(product),
    errors: ['UNAUTHENTICATED'],
  }),
}
