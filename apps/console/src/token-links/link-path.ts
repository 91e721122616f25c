/** The token in the path of a token link; empty when there is none. */
export function tokenOf(path: string): string {
  return /^\/bift\/([^/]+)\/?$/.exec(path)?.[1] ?? ''
}

/** The path to open for what was pasted: a whole link of this origin, or its token alone. `null` when it is neither. */
export function pathOfPasted(pasted: string, origin: string): string | null {
  if (/^[\w-]{16,}$/.test(pasted)) return `/bift/${pasted}`
  if (!URL.canParse(pasted)) return null
  const url = new URL(pasted)
  return url.origin === origin && tokenOf(url.pathname) !== '' ? url.pathname : null
}
