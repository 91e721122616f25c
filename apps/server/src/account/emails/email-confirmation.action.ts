import { emailConfirmation } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { violatedConstraint } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { PeopleService } from '../../people/people.service.ts'
import { parseBody, type TokenLinkActionHandler } from '../../token-links/token-link.action.ts'
import type { StoredTokenLink } from '../../token-links/token-link.ts'
import { createEmailRepository, type EmailClaim } from './email.repository.ts'

interface EmailConfirmationActionParts {
  db: Kysely<Database>
  audit: AuditService
  people: PeopleService
}

/**
 * Verifies the address that a link was sent to. The link is the proof, so it works with any session or without one. If
 * several users claim an address, the first to confirm gets it.
 */
export function createEmailConfirmationAction({
  db,
  audit,
  people,
}: EmailConfirmationActionParts): TokenLinkActionHandler {
  /**
   * Returns the address of a link and its user. Rejects if the user is disabled or another user has verified the
   * address.
   */
  async function claimed(link: StoredTokenLink) {
    const claim = claimOf(link)
    const person = await people.findById(claim.personId)
    const email = await createEmailRepository(db).findClaim(claim)
    const owner = await people.findByVerifiedEmail(claim.email)
    if (person?.disabled_at !== null || email === undefined) return undefined
    return owner === undefined || owner.id === person.id ? { person, email } : undefined
  }

  return {
    async describe(link, caller) {
      const found = await claimed(link)
      if (found === undefined) throw new AppError('LINK_NOT_VALID')
      const { id, firstname, lastname, email } = found.person
      // Users choose their names, so the page also needs the default address to identify the account (DEC-52).
      const user = { firstname, lastname, email }
      return { email: link.email, user, isOwnAccount: caller?.personId === id }
    },

    async prepare(link, body, { caller, address }) {
      parseBody(emailConfirmation, body)
      const claim = claimOf(link)
      const { personId, email } = claim
      return async (trx) => {
        const person = await people.within(trx).findById(personId)
        if (person?.disabled_at !== null) throw new AppError('LINK_NOT_VALID')
        const isVerified = await createEmailRepository(trx).verify(claim).catch(refuseTakenAddress)
        if (!isVerified) throw new AppError('LINK_NOT_VALID')
        await audit.within(trx).record({
          event: 'email.verified',
          result: 'success',
          actorId: caller?.personId ?? personId,
          target: personId,
          address,
          detail: { about: email, link: link.id },
        })
        return {}
      }
    },

    async isRepeatable(link) {
      const found = await claimed(link)
      return found !== undefined && found.email.verifiedAt !== null
    },
  }
}

function claimOf({ data, personId, email }: StoredTokenLink): EmailClaim {
  if (personId === null) throw new AppError('LINK_NOT_VALID')
  return { emailId: String(data.emailId), personId, email }
}

/** Maps the error that occurs if another user verifies the address concurrently. */
function refuseTakenAddress(error: unknown): never {
  throw violatedConstraint(error) === 'email_verified' ? new AppError('LINK_NOT_VALID') : error
}
