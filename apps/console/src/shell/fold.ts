import { storage } from '#platform/storage.ts'
import { createStore } from '#platform/store.ts'

const folded = 'folded'

/** Whether the navigation shows icons only. Stored in the browser. */
export const isNavigationFolded = createStore(storage.navigation.read() === folded)

isNavigationFolded.subscribe(() => storage.navigation.write(isNavigationFolded.get() ? folded : null))
