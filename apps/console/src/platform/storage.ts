/*
 * Every key that the console stores in the browser. Values that the browser refuses to store, because it blocks site data
 * or its storage is full, are held in memory. `openDocument` passes them to the next document of the tab.
 */

/** Name of the values in the state of a history entry. `public/first.js` reads them as well. */
const inEntry = 'pultMemory'

/** The values that the browser does not store. Null: removed. */
const memory = new Map<string, string | null>(valuesOfEntry())

/** Returns whether values are lost when the user reloads or closes the page. */
export const isStorageBlocked = (): boolean => memory.size > 0

/** Returns whether the session ends when the user reloads or closes the page. */
export const isSessionInMemory = (): boolean => memory.has('pult.token')

/** One key of the browser's storage. */
export interface StoredText {
  read: () => string | null
  /** `null` removes it. */
  write: (value: string | null) => void
  /** Subscribes to changes by other tabs. Returns the unsubscribe function. */
  onChangeElsewhere: (listener: (value: string | null) => void) => () => void
}

export const storage = {
  /** The session's token. */
  token: storedText('pult.token'),
  /** The secret by which the server recognises this browser at a sign-in. It survives the sign-out. */
  device: storedText('pult.device'),
  /** `_id` of this browser's active project. */
  activeProjectId: storedText('pult.activeProjectId'),
  /** JSON: position and size of each app's window, by user and project. */
  windowConfig: storedText('pult.windowConfig'),
  /**
   * Start time of the oldest unfinished start, in milliseconds since 1970, and how many in a row did not finish with it;
   * absent if there is none.
   */
  unfinishedStart: storedText('pult.unfinishedStart'),
  /** JSON: each user's latest choices in the command palette. */
  recentChoices: storedText('pult.recentChoices'),
  /** JSON: the projects that each user opened last in this browser. */
  recentProjects: storedText('pult.recentProjects'),
  /** `folded`, or absent while the navigation shows its texts. */
  navigation: storedText('pult.navigation'),
  /** JSON: ids of the users who do not want to be asked for a second factor in this browser. */
  secondFactorLater: storedText('pult.secondFactorLater'),
  /** `light` or `dark`; absent when the system decides. `public/first.js` reads it before the first paint. */
  theme: storedText('pult.theme'),
  /** A chosen language; absent for the installation's. `public/first.js` reads it before the first paint. */
  locale: storedText('pult.locale'),
  /** The latest task changes that this browser has announced: `{id}+` for a start, `{id}-` for an end. */
  announcedTasks: storedText('pult.toldTasks'),
  /** `off` disables single-letter shortcuts; absent by default. */
  letterKeys: storedText('pult.letterKeys'),
  /** `compact`, or absent for the default density. `public/first.js` reads it as well. */
  density: storedText('pult.density'),
  /** JSON: each user's unsaved input in this tab when the session ended. */
  drafts: storedText('pult.drafts', () => sessionStorage),
  /** JSON: the names typed into the registration, stored while a language change reloads the tab. */
  typedNames: storedText('pult.typedNames', () => sessionStorage),
  /** Label of a project that disappeared while its home was open, until the reloaded tab has reported it. */
  goneProject: storedText('pult.goneProject', () => sessionStorage),
  /** Set after the notice that the browser blocks site data. */
  blockedNotice: storedText('pult.blockedNotice', () => sessionStorage),
} as const

export function storedText(key: string, place = () => localStorage): StoredText {
  const read = () => {
    const held = memory.get(key)
    if (held !== undefined) return held
    try {
      return place().getItem(key)
    } catch {
      return null
    }
  }
  return {
    read,
    write: (value) => {
      try {
        if (value === null) place().removeItem(key)
        else place().setItem(key, value)
        memory.delete(key)
      } catch {
        memory.set(key, value)
      }
    },
    onChangeElsewhere: (listener) => {
      const listen = (event: StorageEvent) => {
        // A null key means that the whole storage was cleared. A tab that was frozen gets outdated events.
        if (event.key === key || event.key === null) listener(read())
      }
      addEventListener('storage', listen)
      return () => removeEventListener('storage', listen)
    },
  }
}

/**
 * Reloads the page, or loads another page of the console as a new document. Values that the browser does not store
 * reach it in the state of its history entry, which only this origin can read.
 */
export function openDocument(href?: string): void {
  if (memory.size === 0) {
    if (href === undefined) location.reload()
    else location.assign(href)
    return
  }
  const values = { [inEntry]: Object.fromEntries(memory) }
  if (href === undefined) history.replaceState({ ...(history.state as object | null), ...values }, '')
  else history.pushState(values, '', href)
  const leave = ({ defaultPrevented }: Event) => {
    if (!defaultPrevented) return
    // The browser asks the user. If they stay, their next input removes the values.
    for (const input of ['pointerdown', 'keydown']) addEventListener(input, valuesOfEntry, { once: true })
  }
  addEventListener('beforeunload', leave, { once: true })
  location.reload()
}

/** Takes the values of the previous document. The token must not stay in the history. */
function valuesOfEntry(): [string, string | null][] {
  const { [inEntry]: values, ...state } = (globalThis.history?.state ?? {}) as Record<string, unknown>
  if (values === undefined) return []
  history.replaceState(state, '')
  return Object.entries(values as Record<string, string | null>)
}
