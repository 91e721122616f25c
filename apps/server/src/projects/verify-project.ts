import type { Project, projectEndpoints, ReplyOf } from '@pult/contract'
import { type Language, type Sentence, textIn } from '#platform/language.ts'
import type { ProductRegistry } from '../extensions/manifests/product-registry.ts'

type Verification = ReplyOf<typeof projectEndpoints.verify>
type Part = Verification['problems'][number]['part']

interface Surroundings {
  products: ProductRegistry
  /** Whether the owner's account is enabled. */
  isOwnerActive: boolean
  /** Whether the owner is a member of the organisation, or root, who needs no membership. */
  isOwnerInOrganisation: boolean
  /** The language of the caller. */
  language: Language
}

/** Checks the references of a project: products disappear with extensions, owners with accounts. */
export function verifyProject(
  project: Project,
  { products, isOwnerActive, isOwnerInOrganisation, language }: Surroundings,
): Verification {
  const problems: Verification['problems'] = []
  const add = (part: Part, sentence: Sentence) => problems.push({ part, message: textIn(sentence, language) })

  if (!isOwnerActive) {
    add('owner', {
      de: 'The owner’s account is disabled or deleted',
      'de-DE': 'Das Konto des Eigentümers ist deaktiviert oder gelöscht',
    })
  }
  if (project.org !== null && !isOwnerInOrganisation) {
    add('organisation', {
      de: 'The owner does not belong to the organisation',
      'de-DE': 'Der Eigentümer gehört nicht zur Organisation',
    })
  }
  for (const sku of project.products) {
    if (!products.has(sku)) {
      add('product', {
        de: `No installed extension provides the product ${sku}`,
        'de-DE': `Keine installierte Erweiterung stellt das Produkt ${sku} bereit`,
      })
    }
  }
  for (const { name, productRole } of project.grants) {
    if (productRole === null) {
      add('grant', {
        de: `The grant of ${name} has no role yet`,
        'de-DE': `${name} hat noch keine Rolle`,
      })
    } else if (!products.hasRole(productRole, project.products)) {
      add('grant', {
        de: `The role ${productRole} of ${name} belongs to no product of the project`,
        'de-DE': `Die Rolle ${productRole} von ${name} gehört zu keinem Produkt des Projekts`,
      })
    }
  }
  return { verified: problems.length === 0, problems }
}
