import type { InstalledExtension } from '@pult/sdk/api/root'
import { StateChip } from '@pult/sdk/ui'
import { stateOf, statusOf } from './extension-state.ts'
import { texts } from './extensions.texts.ts'

/** Whether an extension runs, and whether it could. */
export function ExtensionState({ extension }: { extension: InstalledExtension }) {
  const state = stateOf(extension)
  return (
    <StateChip plain status={statusOf[state]}>
      {texts[state]}
    </StateChip>
  )
}
