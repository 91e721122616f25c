let loaded: ReturnType<typeof load> | undefined

/**
 * Loads sharp on first use, because it adds 30 MB to a start. Its restrictions apply to the whole process. It reads
 * only the formats that Pult measures, regardless of the type that a file claims. Each picture uses one thread, so
 * that several pictures do not slow down requests.
 */
export const loadSharp = () => (loaded ??= load())

async function load() {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: readers.map((name) => `VipsForeignLoad${name}`) })
  return sharp
}

const readers = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff']
