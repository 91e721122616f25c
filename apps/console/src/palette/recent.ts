import { storage } from '#platform/storage.ts'

const kept = 20

/** Ids of the entries that a user chose in this browser, latest first. */
export function readRecent(personId: string): string[] {
  const ids = readAll()[personId]
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}

export function noteChoice(personId: string, id: string): void {
  const ids = [id, ...readRecent(personId).filter((other) => other !== id)].slice(0, kept)
  storage.recentChoices.write(JSON.stringify({ ...readAll(), [personId]: ids }))
}

function readAll(): Record<string, unknown> {
  try {
    const stored: unknown = JSON.parse(storage.recentChoices.read() ?? '{}')
    return typeof stored === 'object' && stored !== null ? { ...stored } : {}
  } catch {
    return {}
  }
}
