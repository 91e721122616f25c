import type { DraftKeeper } from '@pult/sdk/host'
import { session } from './session.ts'
import { storage } from './storage.ts'

/** The drafts of one user in this tab. They survive the end of the session and a reload. */
export function draftsOf(personId: string): DraftKeeper {
  const keyOf = (name: string) => `${personId} ${name}`
  return {
    find: (name) => readDrafts()[keyOf(name)],
    keep: (name, read) => {
      const { [keyOf(name)]: _restored, ...others } = readDrafts()
      writeDrafts(others)
      return session.subscribe(() => {
        if (session.get().status === 'signed-out') writeDrafts({ ...readDrafts(), [keyOf(name)]: read() })
      })
    },
  }
}

/**
 * The drafts of one place, because several places can show the same form: a page, a window, the pages of two projects.
 */
export const draftsIn = (place: string, drafts: DraftKeeper): DraftKeeper => ({
  find: (name) => drafts.find(`${place} ${name}`),
  keep: (name, read) => drafts.keep(`${place} ${name}`, read),
})

function readDrafts(): Record<string, unknown> {
  return JSON.parse(storage.drafts.read() ?? '{}') as Record<string, unknown>
}

function writeDrafts(drafts: Record<string, unknown>): void {
  storage.drafts.write(Object.keys(drafts).length > 0 ? JSON.stringify(drafts) : null)
}
