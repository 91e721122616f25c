import { texts } from './accounts.texts.ts'

// A `User-Agent` also contains names of other browsers, so more specific names are tested first.
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

/** Returns the browser and system of a `User-Agent`, or the text itself if it names neither. */
export function deviceOf(userAgent: string): string {
  const nameIn = (names: typeof browsers | typeof systems) =>
    names.find(([, sign]) => sign.test(userAgent))?.[0]
  return texts.deviceOf(nameIn(browsers), nameIn(systems)) || userAgent || texts.unknownDevice
}
