import type { Redemption, TokenLink, TokenLinkAction } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { Db } from '#platform/database/database.ts'
import { networkOf } from '#platform/http/client-address.ts'
import type { Events } from '#platform/realtime/events.ts'
import { hashToken } from '#platform/secrets.ts'
import type { AuditService } from '../audit/audit.service.ts'
import type { Attempts, WindowPolicy } from '../auth/attempts.ts'
import type { RedeemCall, TokenLinkActionHandler } from './token-link.action.ts'
import { createTokenLinkRepository } from './token-link.repository.ts'

/** Invalid links per network. The limit allows an office whose mail scanner opens old links. */
export const linkPolicy: WindowPolicy = { kind: 'link', most: 60, seconds: 600 }

interface TokenLinkServiceParts {
  db: Db
  events: Events
  audit: AuditService
  attempts: Attempts
  actions: Record<TokenLinkAction, TokenLinkActionHandler>
}

export function createTokenLinkService({ db, events, audit, attempts, actions }: TokenLinkServiceParts) {
  const links = createTokenLinkRepository(db)

  async function find(token: string) {
    const link = await links.find(hashToken(token))
    const isRepeat = link?.isUsed === true && (await actions[link.action].isRepeatable?.(link)) === true
    return { link, isRepeat }
  }

  /**
   * Counts a look-up unless it finds a valid link. A valid link also works in a network that has used up its limit:
   * 256 random bits cannot be guessed.
   */
  async function lookUp(token: string, address: string) {
    const found = await find(token)
    if (!(found.link?.isOpen || found.isRepeat)) await attempts.admitInWindow(linkPolicy, networkOf(address))
    return found
  }

  return {
    async preflight(
      token: string,
      { caller, address }: Pick<RedeemCall, 'caller' | 'address'>,
    ): Promise<TokenLink> {
      const { link, isRepeat } = await lookUp(token, address)
      // Unknown, expired, used and voided links get one answer.
      if (link === undefined || !(link.isOpen || isRepeat)) throw new AppError('LINK_NOT_VALID')
      return { action: link.action, data: await actions[link.action].describe(link, caller) }
    },

    /** Throws LINK_NOT_VALID unless the token belongs to the open link for the first root. */
    async requireFirstRootLink(token: string, address: string): Promise<void> {
      const { link } = await lookUp(token, address)
      if (link?.isOpen !== true || link.data['isFirstRoot'] !== true) throw new AppError('LINK_NOT_VALID')
    },

    async redeem(token: string, body: unknown, call: RedeemCall): Promise<Redemption> {
      const { link, isRepeat } = await lookUp(token, call.address)
      if (isRepeat) return {}
      try {
        if (!link?.isOpen) throw new AppError('LINK_NOT_VALID')
        const finish = await actions[link.action].prepare(link, body, call)
        const outcome = await events.transaction(async (trx, emit) => {
          const linksWithin = createTokenLinkRepository(trx)
          // The link may have expired or been redeemed concurrently. This statement alone decides.
          if (!(await linksWithin.use(link))) throw new AppError('LINK_NOT_VALID')
          const result = await finish(trx, emit)
          if (result instanceof AppError) await linksWithin.reopen(link)
          return result
        })
        if (outcome instanceof AppError) throw outcome
        return outcome
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'LINK_NOT_VALID') throw error
        // Two concurrent clicks are a redemption and its repeat, in either order.
        if (link?.isOpen && (await find(token)).isRepeat) return {}
        await audit.record({
          event: 'link.redeemed',
          result: 'failure',
          ...(call.caller === null ? {} : { actorId: call.caller.personId }),
          ...(link === undefined ? {} : { target: link.id, detail: { action: link.action } }),
          address: call.address,
        })
        throw error
      }
    },
  }
}
export type TokenLinkService = ReturnType<typeof createTokenLinkService>
