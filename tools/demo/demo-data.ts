import { uuidv7 } from 'uuidv7'
import { hashPassword } from '../../apps/server/src/auth/password/password-hash.ts'
import { createPeopleRepository } from '../../apps/server/src/people/people.repository.ts'
import type { OpenDatabase } from '../../apps/server/src/platform/database/database.ts'

interface DemoPerson {
  firstname: string
  lastname: string
  email: string
  role: string
  isRoot?: boolean
  projects: { label: string; consoleColor: string }[]
}

export const demoPeople: DemoPerson[] = [
  {
    firstname: 'Rosa',
    lastname: 'Root',
    email: 'root@example.org',
    role: 'root: sees everything',
    isRoot: true,
    projects: [],
  },
  {
    firstname: 'Ada',
    lastname: 'Lovelace',
    email: 'ada@example.org',
    role: 'owns three projects',
    projects: [
      { label: 'Messe 2026', consoleColor: '#b4500f' },
      { label: 'Leitstand Nord', consoleColor: '#0b6470' },
      { label: 'Foyer', consoleColor: '#5b3aa6' },
    ],
  },
  {
    firstname: 'Grace',
    lastname: 'Hopper',
    email: 'grace@example.org',
    role: 'owns one project',
    projects: [{ label: 'Hafen', consoleColor: '#1f5fa8' }],
  },
  { firstname: 'Alan', lastname: 'Turing', email: 'alan@example.org', role: 'owns none yet', projects: [] },
]

/** Adds the people and projects that are not there yet, and gives everybody the password of this start. */
export async function giveDemoData(db: OpenDatabase['db'], password: string): Promise<void> {
  const passwordHash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    const people = createPeopleRepository(trx)
    for (const { projects, role: _role, isRoot = false, ...names } of demoPeople) {
      const known = await people.findByVerifiedEmail(names.email)
      if (known !== undefined) {
        await trx
          .updateTable('person')
          .set({ password_hash: passwordHash })
          .where('id', '=', known.id)
          .execute()
        continue
      }
      const ownerId = await people.add({ ...names, isRoot, passwordHash })
      for (const { label, consoleColor } of projects) {
        await trx
          .insertInto('project')
          .values({ id: uuidv7(), label, owner_id: ownerId, config: JSON.stringify({ consoleColor }) })
          .execute()
      }
    }
  })
}
