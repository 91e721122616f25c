import { AppError } from '#platform/app-error.ts'
import type { Caller } from '#platform/http/route.ts'
import type { PeopleService } from '../people/people.service.ts'

/**
 * Returns the user for whom a task acts, with their current rights instead of those at its start. Throws FORBIDDEN if
 * the account is disabled or deleted.
 */
export async function actingPerson(people: PeopleService, personId: string | null): Promise<Caller> {
  const person = personId === null ? undefined : await people.findById(personId)
  if (person === undefined || person.disabled_at !== null) throw new AppError('FORBIDDEN')
  return {
    personId: person.id,
    isRoot: person.is_root,
    email: person.email,
    firstname: person.firstname,
    lastname: person.lastname,
    // A task has no session.
    sessionId: '',
    scope: [],
    isRecent: false,
    otpEnabled: false,
  }
}
