export interface LateModule<Module> {
  /** Fetches it, once. A failure is not remembered. */
  load: () => Promise<Module>
  /** What was loaded before. */
  get: () => Module
  isLoaded: () => boolean
}

/**
 * Code that is fetched when it is needed, and from then on there without waiting: `React.lazy` would hold back the page
 * for 300 ms, the least time that React leaves a fallback on screen.
 */
export function lateModule<Module>(fetchModule: () => Promise<Module>): LateModule<Module> {
  let loaded: Module | null = null
  return {
    load: async () => {
      loaded ??= await fetchModule()
      return loaded
    },
    isLoaded: () => loaded !== null,
    get: () => {
      if (loaded === null) throw new Error('Shown before it was loaded')
      return loaded
    },
  }
}
