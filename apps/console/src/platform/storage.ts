/*
 * Everything the console keeps in the browser, and where. A browser that refuses storage (blocked site data) gets a
 * console that forgets on reload instead of one that does not start.
 */

/** One key of the browser's storage. */
export interface StoredText {
  read: () => string | null
  /** `null` removes it. */
  write: (value: string | null) => void
  /** Hears changes that other tabs make. Returns how to stop listening. */
  onChangeElsewhere: (listener: (value: string | null) => void) => () => void
}

export const storage = {
  /** The session's token. */
  token: storedText('pult.token'),
  /** `_id` of the project that is active in this browser. */
  activeProjectId: storedText('pult.activeProjectId'),
  /** Present when root was signed in here: `public/first.js` asks for the apps of root then, before it knows who is. */
  isRoot: storedText('pult.isRoot'),
  /** JSON: position and size of each app's window, by person and project. */
  windowConfig: storedText('pult.windowConfig'),
  /** JSON: what each person chose last in the command palette. */
  recentChoices: storedText('pult.recentChoices'),
  /** `light` or `dark`; absent when the system decides. `public/first.js` reads it before the first paint. */
  theme: storedText('pult.theme'),
  /** `en` or `de-DE`; absent for the default. `public/first.js` reads it before the first paint. */
  locale: storedText('pult.locale'),
  /** Of which tasks this browser has told that they began or ended: `{id}+ {id}-`, the latest. */
  toldTasks: storedText('pult.toldTasks'),
  /** `compact`; absent when there is as much room as usual. `public/first.js` reads it, too. */
  density: storedText('pult.density'),
  /** JSON: the names that stand in the registration, from the moment this tab leaves it until it is there again. */
  typedNames: storedText('pult.typedNames', () => sessionStorage),
} as const

function storedText(key: string, place = () => localStorage): StoredText {
  let fallback: string | null = null
  return {
    read: () => {
      try {
        return place().getItem(key)
      } catch {
        return fallback
      }
    },
    write: (value) => {
      fallback = value
      try {
        if (value === null) place().removeItem(key)
        else place().setItem(key, value)
      } catch {
        // Kept in memory.
      }
    },
    onChangeElsewhere: (listener) => {
      const listen = (event: StorageEvent) => {
        // A null key means that everything was cleared.
        if (event.key === key) listener(event.newValue)
        else if (event.key === null) listener(null)
      }
      addEventListener('storage', listen)
      return () => removeEventListener('storage', listen)
    },
  }
}
