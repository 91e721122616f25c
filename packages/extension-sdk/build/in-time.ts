/**
 * Waits for a module of the extension and throws after `patience` milliseconds, because its top level may never finish.
 */
export async function inTime<Module>(loading: Promise<Module>, patience = 10_000): Promise<Module> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`it has not loaded within ${patience / 1000} s. Does its top level wait?`)),
    patience,
  )
  try {
    return await Promise.race([loading, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
