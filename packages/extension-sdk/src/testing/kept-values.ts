import type { StoreEntry } from '@pult/contract'
import { type ApiAnswers, failure, type RecordedCall } from './answers.ts'

/** Creates an in-memory key-value store of an app with the server's behaviour. */
export function createKeptValues(): { answers: ApiAnswers; kept: ReadonlyMap<string, StoreEntry> } {
  const kept = new Map<string, StoreEntry>()
  const path = '/projects/:projectId/apps/:app/store'

  function entry({ params }: RecordedCall): StoreEntry {
    const found = kept.get(params.key ?? '')
    if (found === undefined) throw failure('NOT_FOUND')
    return found
  }
  function write({ params: { key = '' }, body, revision }: RecordedCall): StoreEntry {
    const before = kept.get(key)
    if (revision !== undefined && revision !== (before?.revision ?? 0)) throw failure('REVISION_CONFLICT')
    const now = new Date().toISOString()
    const written = {
      key,
      value: (body as { value: unknown }).value,
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
      updatedBy: null,
      revision: (before?.revision ?? 0) + 1,
    }
    kept.set(key, written)
    return written
  }

  const answers: ApiAnswers = {
    [`GET ${path}`]: ({ query: { prefix = '' } }: RecordedCall) => {
      const items = [...kept.values()].filter(({ key }) => key.startsWith(String(prefix)))
      return { items: items.toSorted((a, b) => (a.key < b.key ? -1 : 1)), total: items.length }
    },
    [`GET ${path}/:key`]: entry,
    [`PUT ${path}/:key`]: write,
    [`DELETE ${path}/:key`]: (call: RecordedCall) => kept.delete(entry(call).key),
  }
  return { answers, kept }
}
