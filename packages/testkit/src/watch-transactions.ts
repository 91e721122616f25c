import { AsyncLocalStorage } from 'node:async_hooks'
import type { OpenDatabase } from '@pult/server/platform/database/database.ts'

interface Held {
  isOver: boolean
}

const held = new AsyncLocalStorage<Held>()

/**
 * Notes who asks for a second connection while a transaction of theirs holds one. As many of those at once as there are
 * connections wait for each other, and everybody else for them. Answers where that was.
 */
export function watchTransactions({ db, pool }: Pick<OpenDatabase, 'db' | 'pool'>): () => string[] {
  const places: string[] = []
  const begin = db.transaction.bind(db)
  db.transaction = () => {
    const transaction = begin()
    const execute = transaction.execute.bind(transaction)
    transaction.execute = (work) => {
      const here = { isOver: false }
      return execute((trx) => held.run(here, () => work(trx))).finally(() => {
        here.isOver = true
      })
    }
    return transaction
  }
  const connect = pool.connect.bind(pool)
  const watched = () => {
    if (held.getStore()?.isOver === false) places.push(new Error('A second connection').stack ?? '')
    return connect()
  }
  pool.connect = watched as typeof pool.connect
  return () => places
}
