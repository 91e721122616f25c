import { texts } from './accounts.texts.ts'

// Browsers name their ancestors as well, so the more special name is looked for first.
const browsers = [
  ['Edge', /\bEdgA?(?:iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?Chrome\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
] as const
const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/** What a person calls the device that a `User-Agent` speaks of; that text itself where it says neither. */
export function deviceOf(userAgent: string): string {
  const nameIn = (names: typeof browsers | typeof systems) =>
    names.find(([, sign]) => sign.test(userAgent))?.[0]
  return texts.deviceOf(nameIn(browsers), nameIn(systems)) || userAgent || texts.unknownDevice
}
