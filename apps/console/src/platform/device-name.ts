/*
 * Browsers say who they are in a text that names half of their ancestors, so the more special name is looked for first.
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/User-Agent
 */

const browsers: [name: string, sign: RegExp][] = [
  ['Edge', /\bEdgA?(?:iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?Chrome\/|\bCriOS\//],
  ['Safari', /\bVersion\/[\d.]+.* Safari\//],
]

const systems: [name: string, sign: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

const nameIn = (names: typeof browsers, userAgent: string) =>
  names.find(([, sign]) => sign.test(userAgent))?.[0]

/** What a person calls the device: browser and system. Null when neither is known. */
export function deviceOf(userAgent: string): { browser: string | null; system: string | null } | null {
  const browser = nameIn(browsers, userAgent) ?? null
  const system = nameIn(systems, userAgent) ?? null
  return browser === null && system === null ? null : { browser, system }
}
