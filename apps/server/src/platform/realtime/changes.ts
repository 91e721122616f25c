import type { CollectionChange } from '@pult/contract'
import type { Emit } from './events.ts'

/** The name of events that tell of a changed record. */
export const changeEvent = 'change'

export interface Change extends CollectionChange {
  /** Who hears of it: the topic's subscribers that may read it. */
  topic: string
  /**
   * People who hear of it although nobody can be asked any more whether they may read it: those who could until now.
   */
  audience?: readonly string[]
}

/** Tells of a changed record, in the transaction that changes it and after the write. */
export function emitChange(emit: Emit, { topic, ...data }: Change): Promise<void> {
  return emit({ topic, name: changeEvent, data: { ...data } })
}
