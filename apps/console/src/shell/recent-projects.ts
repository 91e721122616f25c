import { storage } from '#platform/storage.ts'

/** The active project and three others. */
const kept = 4

/** Ids of the projects that a user opened last in this browser, latest first. */
export function readRecentProjects(personId: string): readonly string[] {
  const ids = readAll()[personId]
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}

export function noteProject(personId: string, projectId: string): void {
  const before = readRecentProjects(personId)
  if (before[0] === projectId) return
  const ids = [projectId, ...before.filter((id) => id !== projectId)].slice(0, kept)
  storage.recentProjects.write(JSON.stringify({ ...readAll(), [personId]: ids }))
}

function readAll(): Record<string, unknown> {
  try {
    const stored: unknown = JSON.parse(storage.recentProjects.read() ?? '{}')
    return typeof stored === 'object' && stored !== null ? { ...stored } : {}
  } catch {
    return {}
  }
}
