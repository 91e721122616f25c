import type { Caller } from '#platform/http/route.ts'
import type { Language } from '#platform/language.ts'
import type { ProductRegistry } from '../extensions/manifests/product-registry.ts'
import type { ProjectService } from './project.service.ts'
import { refusal } from './refusal.ts'

interface WriterCheckParts {
  projects: Pick<ProjectService, 'read'>
  products: Pick<ProductRegistry, 'writingRoles'>
}

/**
 * Creates a check that throws NOT_FOUND if the caller may not see a project, and FORBIDDEN if the caller may only read
 * it. Root and the owners may write, other people with a product role that permits more than to read.
 */
export const createWriterCheck =
  ({ projects, products }: WriterCheckParts) =>
  async (caller: Caller, projectId: string, language: Language = 'de'): Promise<void> => {
    const project = await projects.read(caller, projectId)
    if (project.access !== 'grant') return
    const roles = products.writingRoles(project.products, language)
    const held = project.grants.filter(({ user }) => user === caller.personId)
    if (held.some(({ productRole }) => roles.some(({ id }) => id === productRole))) return
    throw refusal(project, roles)
  }
