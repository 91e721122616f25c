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
  /** JSON: place and size of each app's window. */
  windowConfig: storedText('pult.windowConfig'),
  /** `light` or `dark`; absent when the system decides. `public/first.js` reads it before the first paint. */
  theme: storedText('pult.theme'),
} as const

function storedText(key: string): StoredText {
  let fallback: string | null = null
  return {
    read: () => {
      try {
        return localStorage.getItem(key)
      } catch {
        return fallback
      }
    },
    write: (value) => {
      fallback = value
      try {
        if (value === null) localStorage.removeItem(key)
        else localStorage.setItem(key, value)
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
