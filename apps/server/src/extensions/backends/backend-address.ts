/**
 * Where a call goes: the rest of its path below the address that root has set, with the query as it is. Undefined for a
 * path that could lead out of it, for us or for a server that decodes it once more than we do.
 *
 * @param rest the path behind the app, as it was sent, and the query
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
  // Some servers cut `..;x` at the semicolon, and take a backslash for a slash.
  return !/[/\\\p{Cc}]|^\.{1,2}(?:;|$)|%(?:2e|2f|5c)/iu.test(decoded)
}
