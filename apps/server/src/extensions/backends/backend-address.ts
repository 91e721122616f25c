/**
 * Returns the URL of a call: the rest of its path below the configured URL, with the unchanged query. Returns
 * undefined for a path that could lead out of it, even on a server that decodes it twice.
 *
 * @param rest the path after the app as it was sent, with the query
 */
export function backendAddress(base: string, rest: string): URL | undefined {
  const [path = ''] = rest.split('?', 1)
  if (!path.split('/').every(isPlain)) return undefined
  const url = new URL(base)
  const { origin } = url
  const prefix = `${url.pathname.replace(/\/$/, '')}/`
  url.pathname = `${prefix}${path}`
  url.search = rest.slice(path.length)
  return url.origin === origin && url.pathname.startsWith(prefix) ? url : undefined
}

function isPlain(segment: string): boolean {
  let decoded: string
  try {
    decoded = decodeURIComponent(segment)
  } catch {
    return false
  }
  // Some servers cut `..;x` at the semicolon and treat a backslash as a slash.
  return !/[/\\\p{Cc}]|^\.{1,2}(?:;|$)|%(?:2e|2f|5c)/iu.test(decoded)
}
