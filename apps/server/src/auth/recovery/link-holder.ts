import { AppError } from '#platform/app-error.ts'
import { emailKey } from '../../people/email-address.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { StoredTokenLink } from '../../token-links/token-link.ts'

type People = Pick<PeopleService, 'findById' | 'verifiedEmailsOf'>

/** Returns the user of the link if they are enabled and the link's address is still verified as theirs. */
export async function linkHolder(people: People, link: StoredTokenLink) {
  const person = link.personId === null ? undefined : await people.findById(link.personId)
  if (person?.disabled_at !== null) throw new AppError('LINK_NOT_VALID')
  const addresses = await people.verifiedEmailsOf(person.id)
  if (!addresses.some((address) => emailKey(address) === emailKey(link.email))) {
    throw new AppError('LINK_NOT_VALID')
  }
  return person
}

/** Describes the holder before the link is redeemed. */
export async function describeHolder(people: People, link: StoredTokenLink) {
  const { firstname, lastname } = await linkHolder(people, link)
  return { email: link.email, user: { firstname, lastname } }
}
