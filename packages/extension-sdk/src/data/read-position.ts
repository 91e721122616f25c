import { isReadSince } from '@pult/contract'

/** The server's position in its events at the read of each reply. */
const positions = new WeakMap<object, string>()

/** Notes the position at which the server has read a reply. */
export function noteRead(reply: unknown, position: string | null): void {
  if (position !== null && typeof reply === 'object' && reply !== null) positions.set(reply, position)
}

/** Notes that data was made from a reply, and is as new. Of several replies, the oldest counts. */
export function noteMadeOf<Data extends object>(data: Data, reply: unknown): Data {
  noteRead(data, positionOf(reply) ?? null)
  return data
}

/** Returns whether cached data was read so late that no event before the opening of a subscription is missing in it. */
export function isReadSinceOpening(data: unknown, at: string | undefined): boolean {
  const pages = isPages(data) ? data.pages : [data]
  return pages.every((page) => isReadSince(positionOf(page), at))
}

const positionOf = (reply: unknown): string | undefined =>
  typeof reply === 'object' && reply !== null ? positions.get(reply) : undefined

const isPages = (data: unknown): data is { pages: readonly unknown[] } =>
  typeof data === 'object' &&
  data !== null &&
  'pages' in data &&
  Array.isArray(data.pages) &&
  data.pages.length > 0
