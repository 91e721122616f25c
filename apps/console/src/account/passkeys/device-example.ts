import { deviceOf } from '#platform/device-name.ts'
import { texts } from './passkeys.texts.ts'

/** Returns an example label for the device: "Chrome on Linux". */
export function deviceExample(userAgent: string): string {
  const { browser = null, system = null } = deviceOf(userAgent) ?? {}
  if (browser !== null && system !== null) return texts.deviceLabelExample(browser, system)
  return browser ?? system ?? texts.deviceLabelFallback
}
