import type { EventEmitter } from 'node:events'
import pg from 'pg'

const { emit } = pg.Client.prototype as unknown as EventEmitter

/*
 * An error event without a listener ends the process. pg-pool and pg-boss remove their listeners from a connection
 * before it is closed, and a killed PostgreSQL may send another error after that. Such an error is dropped: the
 * statements of the connection have already failed.
 */
Object.assign(pg.Client.prototype, {
  emit(this: EventEmitter, name: string | symbol, ...values: unknown[]): boolean {
    if (name === 'error' && this.listenerCount('error') === 0) return false
    return emit.call(this, name, ...values)
  },
})
