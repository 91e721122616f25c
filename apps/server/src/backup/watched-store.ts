import { Readable } from 'node:stream'
import type { BackupStore } from './backup-store.ts'

/** Reports each use of a store and each chunk of its content: a slow store differs by this from one that hangs. */
export function watchedStore(store: BackupStore, onUse: () => void): BackupStore {
  async function* noted<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
    for await (const item of items) {
      onUse()
      yield item
    }
  }
  const watched = (content: Readable) =>
    Readable.from(noted(content as AsyncIterable<Buffer>), { objectMode: false })
  return {
    ...store,
    list: (place) => noted(store.list(place)),
    read: async (place, name) => watched(await store.read(place, name)),
    write: (place, name, content) => store.write(place, name, watched(content)),
    async remove(place, name) {
      await store.remove(place, name)
      onUse()
    },
  }
}
