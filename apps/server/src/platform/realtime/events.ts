import type { Transaction } from 'kysely'
import type { Database } from '#platform/database/schema.ts'

/** Something that happened, for every node to hear. */
export interface NewEvent {
  topic: string
  name: string
  data: Record<string, unknown>
}

/** Adds an event to the transaction at hand; it is heard once that commits, and never if it does not. */
export type Emit = (event: NewEvent) => Promise<void>

export interface Events {
  /** Runs a transaction whose events wake all nodes after it has committed. */
  transaction<Result>(work: (trx: Transaction<Database>, emit: Emit) => Promise<Result>): Promise<Result>
}
