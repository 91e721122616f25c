import type {
  ExtensionFailure,
  ExtensionManifest,
  ExtensionVersionRole,
  InstalledExtension,
} from '@pult/contract'
import { type Language, textIn } from '#platform/language.ts'
import { inLanguage } from './manifests/in-language.ts'
import { changeOf, foreignTo, givesMore, noRights, type RightsChange, rightsOf } from './manifests/rights.ts'
import { type FoundVersion, manifestOf } from './packages/library.ts'
import { allowedRights, type DecidedExtension } from './packages/running.ts'

/** Returns the failures of a version of an extension. */
type FailuresOf = (extension: string, version: string) => ExtensionFailure[]

/** Returns the records of the extensions for root. */
export function installedRecordsOf(
  all: readonly DecidedExtension[],
  failuresOf: FailuresOf,
  language: Language,
): InstalledExtension[] {
  // Extensions that are not enabled count as well: their apps belong to them.
  const manifests = all.flatMap(
    ({ running, versions }) => running?.manifest ?? versions.flatMap((one) => manifestOf(one) ?? [])[0] ?? [],
  )
  return all.map((extension) => installedRecordOf(extension, { all: manifests, failuresOf, language }))
}

function installedRecordOf(
  extension: DecidedExtension,
  {
    all,
    failuresOf,
    language,
  }: { all: readonly ExtensionManifest[]; failuresOf: FailuresOf; language: Language },
): InstalledExtension {
  const { id, versions, state, isEnabled, running, problem } = extension
  const usable = versions.find(({ content }) => 'package' in content)
  const shown = inLanguage(running?.manifest ?? manifestOf(usable ?? versions[0] ?? missing(id)), language)
  return {
    id,
    label: shown?.label ?? id,
    version: shown?.version ?? '',
    description: shown?.description ?? '',
    isEnabled,
    problem: problem && textIn(problem, language),
    apps: shown?.apps.map((app) => ({ id: app.id, label: app.label, icon: app.icon })) ?? [],
    products: shown?.products.map(({ sku, label }) => ({ sku, label })) ?? [],
    backend:
      shown?.backend === undefined
        ? null
        : {
            label: shown.backend.label,
            url: state?.backendUrl ?? null,
            allowsHttp: state?.backendAllowsHttp ?? false,
          },
    versions: versions.map((version) => {
      const manifest = manifestOf(version)
      const { content, digest, source } = version
      return {
        version: manifest?.version ?? '',
        digest,
        source,
        isRunning: running !== undefined && running.digest === digest,
        problem: 'problem' in content ? textIn(content.problem, language) : null,
        sdk: manifest?.sdk ?? null,
        size: 'package' in content ? content.package.size : 0,
        ...rightsRecordOf(extension, version, { all, language }),
        failures: manifest === undefined ? [] : failuresOf(id, manifest.version),
      }
    }),
    changedAt: state?.changedAt.toISOString() ?? null,
  }
}

/** Compares the rights of a version with those that root has allowed. */
function rightsRecordOf(
  extension: DecidedExtension,
  { content, source }: FoundVersion,
  { all, language }: { all: readonly ExtensionManifest[]; language: Language },
): Pick<InstalledExtension['versions'][number], 'roles' | 'added' | 'removed' | 'needsConsent'> {
  const manifest = 'package' in content ? content.package.manifest : undefined
  if (manifest === undefined)
    return { roles: [], added: noRights.parts, removed: noRights.parts, needsConsent: false }
  const change = changeOf(allowedRights(extension), rightsOf(manifest))
  return {
    roles: rolesOf(inLanguage(manifest, language), change, foreignTo(manifest, all)),
    added: change.added.parts,
    removed: change.removed.parts,
    needsConsent: source !== 'bundled' && givesMore(change),
  }
}

function rolesOf(
  { products }: ExtensionManifest,
  { added, removed }: RightsChange,
  isForeign: (entry: string) => boolean,
): ExtensionVersionRole[] {
  const present = products.flatMap(({ sku, label, roles }) =>
    roles.map((role) => {
      const id = `${sku}/${role.id}`
      return {
        id,
        label: `${label}: ${role.label}`,
        roles: role.roles,
        foreign: role.roles.filter(isForeign),
        added: [...(added.roles[id] ?? [])],
        removed: [...(removed.roles[id] ?? [])],
      }
    }),
  )
  const gone = Object.entries(removed.roles).filter(([id]) => !present.some((role) => role.id === id))
  return [
    ...present,
    ...gone.map(([id, entries]) => ({
      id,
      label: id,
      roles: [],
      foreign: [],
      added: [],
      removed: [...entries],
    })),
  ]
}

function missing(id: string): never {
  throw new Error(`The extension ${id} has no version`)
}
