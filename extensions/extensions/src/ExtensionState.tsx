import type { InstalledExtension } from '@pult/sdk/api/root'
import { StateChip } from '@pult/sdk/ui'
import { stateOf, statusOf } from './extension-state.ts'
import { texts } from './extensions.texts.ts'

/** Shows whether an extension is enabled, and whether it can run. */
export function ExtensionState({ extension }: { extension: InstalledExtension }) {
  const state = stateOf(extension)
  return (
    <StateChip plain status={statusOf[state]}>
      {texts[state]}
    </StateChip>
  )
}
