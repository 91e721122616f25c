import type { Project, projectEndpoints, ReplyOf } from '@pult/contract'
import type { ProductRegistry } from '../extensions/manifests/product-registry.ts'

type Verification = ReplyOf<typeof projectEndpoints.verify>

interface Surroundings {
  products: ProductRegistry
  /** Of the owner's account. */
  isOwnerActive: boolean
  /** Root users may put projects where they do not belong. */
  isOwnerInOrganisation: boolean
}

/** Whether what a project refers to is still there: products come and go with extensions, people with accounts. */
export function verifyProject(
  project: Project,
  { products, isOwnerActive, isOwnerInOrganisation }: Surroundings,
): Verification {
  const problems: Verification['problems'] = []
  if (!isOwnerActive) problems.push({ part: 'owner', message: 'The owner’s account is disabled or gone' })
  if (project.org !== null && !isOwnerInOrganisation)
    problems.push({ part: 'organisation', message: 'The owner does not belong to the organisation' })
  for (const sku of project.products) {
    if (products.find(sku) === undefined) {
      problems.push({ part: 'product', message: `No installed extension brings the product ${sku}` })
    }
  }
  for (const { name, productRole } of project.grants) {
    if (productRole === null) {
      problems.push({ part: 'grant', message: `The grant of ${name} has no role yet` })
    } else if (!products.hasRole(productRole, project.products)) {
      problems.push({
        part: 'grant',
        message: `The role ${productRole} of ${name} is not one of the project’s products`,
      })
    }
  }
  return { verified: problems.length === 0, problems }
}
