import { texts } from './passkeys.texts.ts'

// The browsers and systems that keep passkeys; the more special name first, because the others name each other.
const browsers = {
  Edge: /\bEdg/,
  Opera: /\bOPR\//,
  Firefox: /\bF(?:irefox|xiOS)\//,
  Chrome: /(?:Chrome|CriOS)\//,
}
const systems = {
  iPhone: /\biPhone\b/,
  iPad: /\biPad\b/,
  Android: /\bAndroid\b/,
  Windows: /\bWindows\b/,
  Mac: /\bMac OS X\b/,
  Linux: /\bLinux\b/,
}

/** What the person may call this device: "Chrome on Linux". */
export function deviceExample(userAgent: string): string {
  const browser = nameIn(browsers, userAgent) ?? (/\bSafari\//.test(userAgent) ? 'Safari' : undefined)
  const system = nameIn(systems, userAgent)
  if (browser !== undefined && system !== undefined) return texts.deviceLabelExample(browser, system)
  return browser ?? system ?? texts.deviceLabelFallback
}

function nameIn(names: Record<string, RegExp>, userAgent: string): string | undefined {
  return Object.entries(names).find(([, sign]) => sign.test(userAgent))?.[0]
}
