import { AsyncLocalStorage } from 'node:async_hooks'
import type { OpenDatabase } from '@pult/server/platform/database/database.ts'

interface Held {
  isInside: boolean
  isOver: boolean
  client?: object
}

const held = new AsyncLocalStorage<Held>()

/** Checks per idle limit. A stall of the event loop counts as one check. */
const looks = 10

/**
 * Reports transactions that acquire a second connection, which can deadlock the pool, and transactions that run no
 * statement for `idleLimit` milliseconds, which block a connection. Returns a function that returns the reports with
 * their stacks.
 */
export function watchTransactions(
  { db, pool }: Pick<OpenDatabase, 'db' | 'pool'>,
  idleLimit = 1000,
): () => string[] {
  const reports: string[] = []
  const statements = new WeakMap<object, number>()

  function watchIdle(here: Held, started: Error): NodeJS.Timeout {
    let last = -1
    let idle = 0
    return setInterval(() => {
      const { client } = here
      if (!here.isInside || client === undefined) return
      const count = statements.get(client) ?? 0
      const isIdle = count === last && 'readyForQuery' in client && client.readyForQuery === true
      last = count
      idle = isIdle ? idle + 1 : 0
      if (idle === looks) reports.push(started.stack ?? started.message)
    }, idleLimit / looks)
  }

  /** Watches a builder and the builders that its settings return. */
  function watch(transaction: ReturnType<typeof begin>): typeof transaction {
    const { setIsolationLevel, setAccessMode } = transaction
    transaction.setIsolationLevel = (level) => watch(setIsolationLevel.call(transaction, level))
    transaction.setAccessMode = (mode) => watch(setAccessMode.call(transaction, mode))
    const execute = transaction.execute.bind(transaction)
    transaction.execute = (work) => {
      const here: Held = { isInside: false, isOver: false }
      const timer = watchIdle(here, new Error(`A transaction ran no statement for ${idleLimit} ms`))
      const inside = (trx: Parameters<typeof work>[0]) => {
        here.isInside = true
        return work(trx)
      }
      return held
        .run(here, () => execute(inside))
        .finally(() => {
          here.isOver = true
          clearInterval(timer)
        })
    }
    return transaction
  }

  const begin = db.transaction.bind(db)
  db.transaction = () => watch(begin())

  const connect = pool.connect.bind(pool)
  const watched = async () => {
    const here = held.getStore()
    if (here?.isInside === true && !here.isOver)
      reports.push(new Error('A transaction acquired a second connection').stack ?? '')
    const client = await connect()
    if (!statements.has(client)) {
      // Looks up the prototype's method for each statement, so that tests can spy on it.
      const prototype = Object.getPrototypeOf(client) as { query: (...args: unknown[]) => unknown }
      client.query = ((...args: unknown[]) => {
        statements.set(client, (statements.get(client) ?? 0) + 1)
        return Reflect.apply(prototype.query, client, args)
      }) as typeof client.query
      statements.set(client, 0)
    }
    if (here?.isInside === false) here.client = client
    return client
  }
  pool.connect = watched as typeof pool.connect
  return () => reports
}
