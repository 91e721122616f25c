import type { AppManifest, EffectiveAccess, Project } from '@pult/contract'
import type { ProductRegistry } from '../extensions/manifests/product-registry.ts'

/** A person as the answer needs to know them. */
export interface AskedPerson {
  id: string
  name: string
  isRoot: boolean
  isDisabled: boolean
}

interface Question {
  person: AskedPerson
  /** The project as root sees it, with all of its grants. */
  project: Project
  /** The owner of the project's organisation; null for a private project. */
  organisationOwner: string | null
  app?: string | undefined
  tab?: string | undefined
}

type Step = EffectiveAccess['steps'][number]

/**
 * Why a person can or cannot see a project, one of its apps or a tab: step by step, in the order in which the server
 * decides. The first step that does not allow it is the reason.
 */
export function explainAccess(products: ProductRegistry, question: Question): EffectiveAccess {
  const { person, project } = question
  const own = project.grants.filter(({ user }) => user === person.id)
  const roles = own.flatMap(({ productRole }) => (productRole === null ? [] : [productRole]))
  const counted = roles.filter((role) => products.hasRole(role, project.products))
  const scope = products.scopeOf(counted.map((productRole) => ({ projectId: project._id, productRole })))
  const everyRole = person.isRoot || project.owner === person.id

  const rolesWith = (entry: string) =>
    counted.filter((productRole) =>
      products.scopeOf([{ projectId: project._id, productRole }]).includes(entry),
    )

  const steps: Step[] = [
    accountStep(person),
    ...(project.org === null ? [] : [organisationStep(question)]),
    projectStep(question, own.length > 0),
  ]
  if (question.app !== undefined) {
    steps.push(...appSteps(products, question, { rolesWith, counted, everyRole }))
  }
  return { allowed: steps.every(({ allowed }) => allowed), steps, scope }
}

function accountStep({ name, isDisabled, isRoot }: AskedPerson): Step {
  const reason = isDisabled
    ? 'The account is disabled.'
    : isRoot
      ? 'The account is root and may do everything.'
      : 'The account is active.'
  return { level: 'person', name, allowed: !isDisabled, reason }
}

/** Stops nobody: to belong to an organisation is no way into its projects, and no condition either. */
function organisationStep({ person, project, organisationOwner }: Question): Step {
  const reason =
    organisationOwner === person.id
      ? 'The person owns the organisation, and so sees and edits its projects.'
      : 'Only the organisation’s owner sees its projects for that reason.'
  return { level: 'organisation', name: project.orgLabel ?? '', allowed: true, reason }
}

function projectStep({ person, project, organisationOwner }: Question, hasGrant: boolean): Step {
  const [allowed, reason] = person.isRoot
    ? [true, 'Root sees every project.']
    : project.owner === person.id
      ? [true, 'The person owns the project.']
      : organisationOwner === person.id
        ? [true, 'The person owns the project’s organisation.']
        : hasGrant
          ? [true, 'The person holds a grant.']
          : [false, 'The person neither owns the project or its organisation nor holds a grant.']
  return { level: 'project', name: project.label, allowed, reason }
}

interface Held {
  /** The product roles that give a scope entry. */
  rolesWith: (entry: string) => readonly string[]
  /** All product roles that count: those of products which the project uses. */
  counted: readonly string[]
  everyRole: boolean
}

function appSteps(
  products: ProductRegistry,
  { person, project, app: appId = '', tab }: Question,
  held: Held,
): Step[] {
  const app = products.findApp(appId)
  if (app === undefined) {
    return [{ level: 'app', name: appId, allowed: false, reason: 'No installed extension brings this app.' }]
  }
  const steps: Step[] = [
    productStep(app, person, project),
    roleStep('app', app.label, app.role, project._id, held),
  ]
  if (tab === undefined) return steps
  const found = app.tabs?.find(({ id }) => id === tab)
  const role = found?.role === undefined ? undefined : `${app.role ?? app.id}:${found.role}`
  return [
    ...steps,
    found === undefined
      ? { level: 'tab', name: tab, allowed: false, reason: 'The app has no such tab.' }
      : roleStep('tab', found.label, role, project._id, held),
  ]
}

function productStep({ productSku }: AppManifest, person: AskedPerson, project: Project): Step {
  const [allowed, reason] =
    productSku === 'root'
      ? [person.isRoot, 'Apps of the product root are for root users.']
      : project.products.includes(productSku)
        ? [true, 'The project uses the product.']
        : [false, 'The project does not use the app’s product.']
  return { level: 'product', name: productSku, allowed, reason }
}

function roleStep(
  level: 'app' | 'tab',
  name: string,
  role: string | undefined,
  projectId: string,
  { rolesWith, counted, everyRole }: Held,
): Step {
  if (role === undefined) return { level, name, allowed: true, reason: 'It asks for no role.' }
  if (everyRole)
    return { level, name, allowed: true, reason: `Root and the project’s owner hold the role ${role}.` }
  const givers = rolesWith(`p-${projectId}/r-${role}`)
  const held = counted.length === 0 ? 'no product role that counts' : counted.join(', ')
  return {
    level,
    name,
    allowed: givers.length > 0,
    reason:
      givers.length > 0
        ? `The role ${role} comes from ${givers.join(', ')}.`
        : `The role ${role} is missing; the person holds ${held}.`,
  }
}
