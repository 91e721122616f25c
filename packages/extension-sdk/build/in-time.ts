/** Waits for a module of the extension, which could wait for something that never comes. */
export async function inTime<Module>(loading: Promise<Module>, patience = 10_000): Promise<Module> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`it has not loaded within ${patience / 1000} s: does its top level wait?`)),
    patience,
  )
  try {
    return await Promise.race([loading, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
