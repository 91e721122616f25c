/*
 * A `User-Agent` also contains the names of other browsers, so more specific names are tested first.
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

/** Returns the browser and system of a device. Null when neither is known. */
export function deviceOf(userAgent: string): { browser: string | null; system: string | null } | null {
  const browser = nameIn(browsers, userAgent) ?? null
  const system = nameIn(systems, userAgent) ?? null
  return browser === null && system === null ? null : { browser, system }
}
