import type { ExtensionManifest } from '@pult/contract'
import type { Sentence } from '#platform/language.ts'
import { noRights, type Rights, reducedTo, rightsOf } from '../manifests/rights.ts'
import { type ExtensionPackage, firstTaken, takenApp, takenProduct } from './extension-package.ts'
import { type FoundVersion, manifestOf } from './library.ts'

/** The stored state of an extension. */
export interface ExtensionState {
  id: string
  isEnabled: boolean
  /** The digest of the enabled version. Null stands for the bundled version, whose files change with the product. */
  digest: string | null
  /**
   * What root allowed with this digest. Null for the bundled version, which the installation of the product allows, and
   * for a version that was enabled before rights were stored: its digest stands for all of them.
   */
  rights: Rights | null
  /** The URL of its service. */
  backendUrl: string | null
  /** Root has allowed to call it without TLS. */
  backendAllowsHttp: boolean
  changedAt: Date
}

/** An extension and its running version, if any. */
export interface DecidedExtension {
  id: string
  /** Newest first. */
  versions: readonly FoundVersion[]
  state: ExtensionState | undefined
  /** Whether the extension is enabled. */
  isEnabled: boolean
  /** Its roles hold only the entries that root has allowed. */
  running: ExtensionPackage | undefined
  /** The reason why the extension does not run or cannot be enabled. */
  problem: Sentence | null
  /** The manifest of an enabled extension that cannot run, if it is readable. */
  broken: ExtensionManifest | undefined
}

const changedFiles: Sentence = {
  de: 'Its files have changed since it was enabled. Review and enable it again',
  'de-DE':
    'Ihre Dateien haben sich seit dem Aktivieren geändert. Prüfen Sie sie und aktivieren Sie sie erneut',
}

/**
 * Decides which version of each extension runs. Bundled extensions run unless root has disabled them; others run only
 * after root has enabled them, and only with the same digest. If two use the same name, the bundled one wins, then
 * the one that was enabled first.
 */
export function decideRunning(
  found: ReadonlyMap<string, readonly FoundVersion[]>,
  states: readonly ExtensionState[],
): DecidedExtension[] {
  const stateOf = new Map(states.map((state) => [state.id, state]))
  const chosen = [...found].map(([id, versions]) => ({
    id,
    versions,
    state: stateOf.get(id),
    ...choose(versions, stateOf.get(id)),
  }))
  const inTurn = chosen.toSorted((a, b) => turnOf(a) - turnOf(b))
  const running = new Map<string, ExtensionPackage>()
  const refused = new Map<string, Sentence>()
  for (const { id, selected, state } of inTurn) {
    if (selected === undefined || 'problem' in selected.content) continue
    const taken = takenName(
      selected.content.package.manifest,
      [...running.values()].map(({ manifest }) => manifest),
    )
    if (taken === undefined) running.set(id, withAllowedRoles(selected.content.package, state))
    else refused.set(id, taken)
  }
  return chosen.map(({ selected, ...extension }) => {
    const own = running.get(extension.id)
    return {
      ...extension,
      running: own,
      problem: own === undefined ? problemOf(extension, selected, refused.get(extension.id)) : null,
      broken: own === undefined && selected !== undefined ? manifestOf(selected) : undefined,
    }
  })
}

const withAllowedRoles = (found: ExtensionPackage, state: ExtensionState | undefined): ExtensionPackage =>
  state?.rights ? { ...found, manifest: reducedTo(state.rights, found.manifest) } : found

/** Returns what root has allowed an extension: the rights of the version that was enabled last. */
export function allowedRights({ versions, state }: Pick<DecidedExtension, 'versions' | 'state'>): Rights {
  if (state?.rights) return state.rights
  const bundled = versions.find(({ source }) => source === 'bundled')
  const last = versions.find(({ digest }) => digest === state?.digest) ?? bundled
  const manifest = last && manifestOf(last)
  return manifest === undefined ? noRights : rightsOf(manifest)
}

function choose(versions: readonly FoundVersion[], state: ExtensionState | undefined) {
  const bundled = versions.find(({ source }) => source === 'bundled')
  const isEnabled = state?.isEnabled ?? bundled !== undefined
  const digest = state?.digest ?? null
  const selected = digest === null ? bundled : versions.find((version) => version.digest === digest)
  return { isEnabled, selected: isEnabled ? selected : undefined }
}

const turnOf = ({
  selected,
  state,
}: {
  selected: FoundVersion | undefined
  state: ExtensionState | undefined
}) => (selected?.source === 'bundled' ? 0 : (state?.changedAt.getTime() ?? 0))

function problemOf(
  { versions, isEnabled }: Pick<DecidedExtension, 'versions' | 'isEnabled'>,
  selected: FoundVersion | undefined,
  refusal: Sentence | undefined,
): Sentence | null {
  if (refusal !== undefined) return refusal
  if (selected !== undefined) return 'problem' in selected.content ? selected.content.problem : null
  if (isEnabled) return changedFiles
  const [newest] = versions
  const isUsable = versions.some(({ content }) => 'package' in content)
  return newest !== undefined && !isUsable && 'problem' in newest.content ? newest.content.problem : null
}

/** Returns a message if an id or sku is already used in the installation. */
export function takenName(
  { products, apps }: ExtensionManifest,
  others: readonly ExtensionManifest[],
): Sentence | undefined {
  const sku = firstTaken(
    products.map((product) => product.sku),
    others.flatMap((other) => other.products.map((product) => product.sku)),
  )
  if (sku !== undefined) return takenProduct(sku)
  const appId = firstTaken(
    apps.map((app) => app.id),
    others.flatMap((other) => other.apps.map((app) => app.id)),
  )
  return appId === undefined ? undefined : takenApp(appId)
}
