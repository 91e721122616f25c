import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

const writtenAtOnce = 64 * 1024

/**
 * Stores lines on the disk instead of in memory. Its file is unlinked once it is open, so that a killed process leaves
 * none.
 */
export async function openSpool(folder: string) {
  await mkdir(folder, { recursive: true })
  const path = join(folder, `.spool-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  let waiting: string[] = []
  let size = 0

  async function flush(): Promise<void> {
    await file.writeFile(waiting.join(''))
    waiting = []
    size = 0
  }

  return {
    async add(line: string): Promise<void> {
      waiting.push(`${line}\n`)
      size += line.length
      if (size > writtenAtOnce) await flush()
    },

    /** Returns all added lines. */
    async content(): Promise<Readable> {
      await flush()
      return file.createReadStream({ start: 0, autoClose: false })
    },

    close: () => file.close(),
  }
}
export type Spool = Awaited<ReturnType<typeof openSpool>>

export async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Merges sorted items by key: `at` returns those with this key, and skips smaller ones. Keys must ascend. */
export function beside<Item>(items: AsyncIterable<Item>, keyOf: (item: Item) => string) {
  const source = items[Symbol.asyncIterator]()
  let next: IteratorResult<Item> | undefined

  return {
    async at(key: string): Promise<Item[]> {
      const found: Item[] = []
      for (;;) {
        next ??= await source.next()
        if (next.done === true || keyOf(next.value) > key) return found
        if (keyOf(next.value) === key) found.push(next.value)
        next = undefined
      }
    },
    close: async () => {
      await source.return?.()
    },
  }
}
