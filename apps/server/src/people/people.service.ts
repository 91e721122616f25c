import type { Db } from '#platform/database/database.ts'
import { createPeopleRepository } from './people.repository.ts'

/** People for other rooms; `within` joins their transaction. */
export function createPeopleService(db: Db) {
  return { ...createPeopleRepository(db), within: (trx: Db) => createPeopleRepository(trx) }
}
export type { NewPerson } from './people.repository.ts'
export type PeopleService = ReturnType<typeof createPeopleService>
