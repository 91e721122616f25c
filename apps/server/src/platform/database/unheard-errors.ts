import type { EventEmitter } from 'node:events'
import pg from 'pg'

const { emit } = pg.Client.prototype as unknown as EventEmitter

/*
 * An error of a connection without a listener ends the process. pg-pool and pg-boss take their listeners off a
 * connection before it is closed, and a PostgreSQL that is killed may send one more error after that. Such an error is
 * dropped: the statements of the connection have failed already.
 */
Object.assign(pg.Client.prototype, {
  emit(this: EventEmitter, name: string | symbol, ...values: unknown[]): boolean {
    if (name === 'error' && this.listenerCount('error') === 0) return false
    return emit.call(this, name, ...values)
  },
})
