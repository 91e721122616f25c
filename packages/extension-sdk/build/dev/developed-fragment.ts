import type { ExtensionManifest, Fragment } from '@pult/contract'

export interface DevelopedExtension {
  /** As it was when it was last right. */
  manifest: ExtensionManifest
  /** The current problem. */
  problem?: string | undefined
  /** The module of its entry, as a path. */
  entry: string
}

/**
 * The answer that a server would give to a probe if it had the developed extension in place of the installed version.
 *
 * @param isForProject Whether the apps of a project were requested; otherwise those of root.
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
  const developed = { id, version, label, entry, integrity: {}, styles: [], sdk, apps, isBundled: false }
  return [...others, problem === undefined ? developed : { ...developed, problem }]
}
