import type { ExtensionManifest, Fragment } from '@pult/contract'

export interface DevelopedExtension {
  /** The last valid manifest. */
  manifest: ExtensionManifest
  /** The problem of the current manifest. */
  problem?: string | undefined
  /** Path of the entry module. */
  entry: string
}

/**
 * Returns the probe reply of a server that had the extension under development instead of the installed version.
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
  // Vite injects the styles and reports its errors itself.
  const developed = { id, version, label, entry, integrity: {}, styles: [], sdk, apps, isBundled: false }
  return [...others, problem === undefined ? developed : { ...developed, problem }]
}
