import type { Db } from '#platform/database/database.ts'
import { createPeopleRepository } from './people.repository.ts'

/** People as other rooms know them; `within` takes part in their transaction. */
export function createPeopleService(db: Db) {
  return { ...createPeopleRepository(db), within: (trx: Db) => createPeopleRepository(trx) }
}
export type { NewPerson } from './people.repository.ts'
export type PeopleService = ReturnType<typeof createPeopleService>
