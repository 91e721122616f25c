import type { DraftKeeper } from '@pult/sdk/host'
import { session } from './session.ts'

/** What people had typed when their session ended, until they are back. In memory alone. */
const drafts = new Map<string, unknown>()

/** The drafts of one person on this page. */
export function draftsOf(personId: string): DraftKeeper {
  const keyOf = (name: string) => `${personId} ${name}`
  return {
    find: (name) => drafts.get(keyOf(name)),
    keep: (name, read) => {
      drafts.delete(keyOf(name))
      return session.subscribe(() => {
        if (session.get().status === 'signed-out') drafts.set(keyOf(name), read())
      })
    },
  }
}
