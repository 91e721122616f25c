/** Returns the token in the path of a token link; empty when the path has none. */
export function tokenOf(path: string): string {
  return /^\/bift\/([^/]+)\/?$/.exec(path)?.[1] ?? ''
}

/** Returns the path for a pasted link of this origin or a bare token. `null` for any other text. */
export function pathOfPasted(pasted: string, origin: string): string | null {
  if (/^[\w-]{16,}$/.test(pasted)) return `/bift/${pasted}`
  if (!URL.canParse(pasted)) return null
  const url = new URL(pasted)
  return url.origin === origin && tokenOf(url.pathname) !== '' ? url.pathname : null
}
