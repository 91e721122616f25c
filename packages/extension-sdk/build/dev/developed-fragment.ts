import type { ExtensionManifest, Fragment } from '@pult/contract'

export interface DevelopedExtension {
  /** As it was when it was last right. */
  manifest: ExtensionManifest
  /** What is wrong with it now. */
  problem?: string | undefined
  /** The module of its entry, as a path. */
  entry: string
}

/**
 * What a server would answer to a probe if it had the extension that is developed, in place of its own version of it.
 *
 * @param isForProject Whether the apps of a project were asked for; else those of root.
 */
export function withDeveloped(
  fragments: readonly Fragment[],
  { manifest, problem, entry }: DevelopedExtension,
  isForProject: boolean,
): Fragment[] {
  const others = fragments.filter(({ id }) => id !== manifest.id)
  const apps = manifest.apps.filter(({ productSku }) => (productSku === 'root') !== isForProject)
  if (apps.length === 0) return others
  const { id, version, label, sdk = '*' } = manifest
  // Vite puts its styles there, and says for itself what it cannot read.
  const developed = { id, version, label, entry, integrity: {}, styles: [], sdk, apps }
  return [...others, problem === undefined ? developed : { ...developed, problem }]
}
