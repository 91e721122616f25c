export interface LateModule<Module> {
  /** Loads the module once. A failed load is retried on the next call. */
  load: () => Promise<Module>
  /** Returns the module. It must have been loaded. */
  get: () => Module
  isLoaded: () => boolean
}

/**
 * A module that loads on demand and is then available synchronously. `React.lazy` would delay the page by 300 ms, the
 * minimum time that React shows a fallback.
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
      if (loaded === null) throw new Error('The module has not loaded yet')
      return loaded
    },
  }
}
