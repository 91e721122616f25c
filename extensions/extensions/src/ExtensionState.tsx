import type { InstalledExtension } from '@pult/sdk/api'
import { StatusDot } from '@pult/sdk/ui'
import { texts } from './extensions.texts.ts'

/** Whether an extension runs, and whether it could. */
export function ExtensionState({ extension }: { extension: InstalledExtension }) {
  const { isEnabled, problem, versions } = extension
  if (versions.some(({ isRunning }) => isRunning)) return <StatusDot status="success">{texts.runs}</StatusDot>
  if (isEnabled) return <StatusDot status="danger">{texts.doesNotRun}</StatusDot>
  if (problem !== null) return <StatusDot status="warning">{texts.broken}</StatusDot>
  return <StatusDot status="neutral">{texts.off}</StatusDot>
}
