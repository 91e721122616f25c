import type { AppManifest, EffectiveAccess, Project } from '@pult/contract'
import { type Language, type Sentence, textIn } from '#platform/language.ts'
import { inLanguage } from '../extensions/manifests/in-language.ts'
import type { ProductRegistry } from '../extensions/manifests/product-registry.ts'

/** The fields of a person that the explanation needs. */
export interface AskedPerson {
  id: string
  name: string
  isRoot: boolean
  isDisabled: boolean
}

interface Question {
  person: AskedPerson
  /** The project with all its grants. */
  project: Project
  /** The owner of the project's organisation; null for a private project. */
  organisationOwner: string | null
  app?: string | undefined
  tab?: string | undefined
  /** The language of the caller. */
  language: Language
}

interface Step extends Omit<EffectiveAccess['steps'][number], 'reason'> {
  reason: Sentence
}

/**
 * Explains why a person can or cannot see a project, one of its apps or a tab, in the order of the server's checks.
 * The first step that denies access is the reason.
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
  return {
    allowed: steps.every(({ allowed }) => allowed),
    steps: steps.map(({ reason, ...step }) => ({ ...step, reason: textIn(reason, question.language) })),
    scope,
  }
}

function accountStep({ name, isDisabled, isRoot }: AskedPerson): Step {
  const reason = isDisabled
    ? { de: 'The account is disabled.', 'de-DE': 'Das Konto ist deaktiviert.' }
    : isRoot
      ? { de: 'The account is root and may do everything.', 'de-DE': 'Das Konto ist Root und darf alles.' }
      : { de: 'The account is active.', 'de-DE': 'Das Konto ist aktiv.' }
  return { level: 'person', name, allowed: !isDisabled, reason }
}

/** Denies nothing: membership of an organisation is neither necessary nor sufficient for access to its projects. */
function organisationStep({ person, project, organisationOwner }: Question): Step {
  const reason =
    organisationOwner === person.id
      ? {
          de: 'The person owns the organisation and can therefore see and edit its projects.',
          'de-DE': 'Der Person gehört die Organisation; darum sieht und bearbeitet sie deren Projekte.',
        }
      : {
          de: 'Only the organisation’s owner can see its projects this way.',
          'de-DE': 'Nur der Eigentümer der Organisation sieht ihre Projekte auf diesem Weg.',
        }
  return { level: 'organisation', name: project.orgLabel ?? '', allowed: true, reason }
}

function projectStep({ person, project, organisationOwner }: Question, hasGrant: boolean): Step {
  const reason = person.isRoot
    ? { de: 'Root sees every project.', 'de-DE': 'Root sieht jedes Projekt.' }
    : project.owner === person.id
      ? { de: 'The person owns the project.', 'de-DE': 'Der Person gehört das Projekt.' }
      : organisationOwner === person.id
        ? {
            de: 'The person owns the project’s organisation.',
            'de-DE': 'Der Person gehört die Organisation des Projekts.',
          }
        : hasGrant
          ? { de: 'The person holds a grant.', 'de-DE': 'Die Person hat eine Rolle.' }
          : null
  return {
    level: 'project',
    name: project.label,
    allowed: reason !== null,
    reason: reason ?? {
      de: 'The person neither owns the project or its organisation nor holds a grant.',
      'de-DE': 'Der Person gehört weder das Projekt noch seine Organisation, und sie hat keine Rolle.',
    },
  }
}

interface Held {
  /** The product roles that unfold to a scope entry. */
  rolesWith: (entry: string) => readonly string[]
  /** The product roles of products that the project uses. */
  counted: readonly string[]
  everyRole: boolean
}

function appSteps(
  products: ProductRegistry,
  { person, project, app: appId = '', tab, language }: Question,
  held: Held,
): Step[] {
  const app = inLanguage(products.findApp(appId), language)
  if (app === undefined) {
    const reason = {
      de: 'No installed extension contains this app.',
      'de-DE': 'Keine installierte Erweiterung enthält diese App.',
    }
    return [{ level: 'app', name: appId, allowed: false, reason }]
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
      ? {
          level: 'tab',
          name: tab,
          allowed: false,
          reason: { de: 'The app has no such tab.', 'de-DE': 'Die App hat diesen Bereich nicht.' },
        }
      : roleStep('tab', found.label, role, project._id, held),
  ]
}

function productStep({ productSku }: AppManifest, person: AskedPerson, project: Project): Step {
  const isRootApp = productSku === 'root'
  const allowed = isRootApp ? person.isRoot : project.products.includes(productSku)
  const reason = isRootApp
    ? {
        de: 'Apps of the product root are for root users.',
        'de-DE': 'Apps des Produkts root sind für Root-Benutzer.',
      }
    : allowed
      ? { de: 'The project uses the product.', 'de-DE': 'Das Projekt verwendet das Produkt.' }
      : {
          de: 'The project does not use the app’s product.',
          'de-DE': 'Das Projekt verwendet das Produkt der App nicht.',
        }
  return { level: 'product', name: productSku, allowed, reason }
}

function roleStep(
  level: 'app' | 'tab',
  name: string,
  role: string | undefined,
  projectId: string,
  { rolesWith, counted, everyRole }: Held,
): Step {
  if (role === undefined) {
    const reason = { de: 'No role is required.', 'de-DE': 'Dafür ist keine Rolle nötig.' }
    return { level, name, allowed: true, reason }
  }
  if (everyRole) {
    const reason = {
      de: `Root and the project’s owner hold the role ${role}.`,
      'de-DE': `Root und der Eigentümer des Projekts haben die Rolle ${role}.`,
    }
    return { level, name, allowed: true, reason }
  }
  const givers = rolesWith(`p-${projectId}/r-${role}`)
  return { level, name, allowed: givers.length > 0, reason: heldReason(role, givers, counted) }
}

function heldReason(role: string, givers: readonly string[], counted: readonly string[]): Sentence {
  if (givers.length > 0) {
    const from = givers.join(', ')
    return { de: `The role ${role} comes from ${from}.`, 'de-DE': `Die Rolle ${role} kommt von ${from}.` }
  }
  if (counted.length === 0) {
    return {
      de: `The role ${role} is missing; the person has no matching product role.`,
      'de-DE': `Die Rolle ${role} fehlt; die Person hat keine passende Produktrolle.`,
    }
  }
  const held = counted.join(', ')
  return {
    de: `The role ${role} is missing; the person holds ${held}.`,
    'de-DE': `Die Rolle ${role} fehlt; die Person hat ${held}.`,
  }
}
