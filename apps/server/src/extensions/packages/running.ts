import type { ExtensionManifest } from '@pult/contract'
import type { Sentence } from '#platform/language.ts'
import { type ExtensionPackage, firstTaken, takenApp, takenProduct } from './extension-package.ts'
import { type FoundVersion, manifestOf } from './library.ts'

/** What somebody decided about an extension. */
export interface ExtensionState {
  id: string
  isEnabled: boolean
  /** Of the version that was enabled; null stands for the one that comes with the product, whose files change with it. */
  digest: string | null
  /** Where its service is. */
  backendUrl: string | null
  changedAt: Date
}

/** An extension, and whether one of its versions runs. */
export interface DecidedExtension {
  id: string
  /** The newest first. */
  versions: readonly FoundVersion[]
  state: ExtensionState | undefined
  /** Whether it is to run, if it can. */
  isWanted: boolean
  running: ExtensionPackage | undefined
  /** Why it does not run although it is to, or cannot be enabled. */
  problem: Sentence | null
  /** The manifest of what is to run and does not, where it can be read. */
  broken: ExtensionManifest | undefined
}

const changedFiles: Sentence = {
  de: 'Its files are others than those that were enabled',
  'de-DE': 'Ihre Dateien sind andere als die, die eingeschaltet wurden',
}

/**
 * Which version of which extension runs. What comes with the product runs unless somebody decided otherwise, anything
 * else once it was enabled, and only as it was then. Of two that take the same names what comes with the product runs,
 * or else what was enabled first.
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
  for (const { id, wanted } of inTurn) {
    if (wanted === undefined || 'problem' in wanted.content) continue
    const taken = takenName(
      wanted.content.package.manifest,
      [...running.values()].map(({ manifest }) => manifest),
    )
    if (taken === undefined) running.set(id, wanted.content.package)
    else refused.set(id, taken)
  }
  return chosen.map(({ wanted, ...extension }) => {
    const own = running.get(extension.id)
    return {
      ...extension,
      running: own,
      problem: own === undefined ? problemOf(extension, wanted, refused.get(extension.id)) : null,
      broken: own === undefined && wanted !== undefined ? manifestOf(wanted) : undefined,
    }
  })
}

function choose(versions: readonly FoundVersion[], state: ExtensionState | undefined) {
  const bundled = versions.find(({ source }) => source === 'bundled')
  const isWanted = state?.isEnabled ?? bundled !== undefined
  const digest = state?.digest ?? null
  const wanted = digest === null ? bundled : versions.find((version) => version.digest === digest)
  return { isWanted, wanted: isWanted ? wanted : undefined }
}

const turnOf = ({
  wanted,
  state,
}: {
  wanted: FoundVersion | undefined
  state: ExtensionState | undefined
}) => (wanted?.source === 'bundled' ? 0 : (state?.changedAt.getTime() ?? 0))

function problemOf(
  { versions, isWanted }: Pick<DecidedExtension, 'versions' | 'isWanted'>,
  wanted: FoundVersion | undefined,
  refusal: Sentence | undefined,
): Sentence | null {
  if (refusal !== undefined) return refusal
  if (wanted !== undefined) return 'problem' in wanted.content ? wanted.content.problem : null
  if (isWanted) return changedFiles
  const [newest] = versions
  const isUsable = versions.some(({ content }) => 'package' in content)
  return newest !== undefined && !isUsable && 'problem' in newest.content ? newest.content.problem : null
}

/** Ids and skus stand for one thing in an installation. */
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
