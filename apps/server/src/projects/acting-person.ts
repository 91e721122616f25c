import { AppError } from '#platform/app-error.ts'
import type { Caller } from '#platform/http/route.ts'
import type { PeopleService } from '../people/people.service.ts'

/**
 * The person for whom a task does something, with the rights of now and not of when it began. Whoever may not sign in
 * any more has none.
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
    // Of a session, which a task has none of.
    sessionId: '',
    scope: [],
    isRecent: false,
    otpEnabled: false,
  }
}
