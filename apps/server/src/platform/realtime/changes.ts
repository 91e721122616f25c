import type { CollectionChange } from '@pult/contract'
import type { Emit } from './events.ts'

/** The event name for changed records. */
export const changeEvent = 'change'

export interface Change extends CollectionChange {
  /** The recipients: subscribers of the topic who may read it. */
  topic: string
  /** Recipients whose permission can no longer be queried: the readers before the change. */
  audience?: readonly string[]
}

/** Publishes changed records, in the transaction of the change and after its write. */
export function emitChange(emit: Emit, ...changes: readonly Change[]): Promise<void> {
  return emit(...changes.map(({ topic, ...data }) => ({ topic, name: changeEvent, data: { ...data } })))
}
