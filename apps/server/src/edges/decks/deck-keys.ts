import {
  type BodyOf,
  type Edge,
  type EdgeDeckSettings,
  type edgeDeckEndpoints,
  limits,
  type OwnEdgeDeck,
} from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { refuseStale } from '#platform/database/revision.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Emit } from '#platform/realtime/events.ts'
import type { ProjectService } from '../../projects/project.service.ts'
import { edgeNodeTopic } from '../edge-topic.ts'
import { createDeckKeyRepository } from './deck-key.repository.ts'
import { checkPicture } from './deck-picture.ts'
import { deckEvent } from './edge-decks.ts'

interface DeckPlace {
  projectId: string
  edgeId: string
  serial: string
}

interface Who {
  caller: Caller
  address: string
}

interface DeckKeysParts {
  db: Kysely<Database>
  projects: Pick<ProjectService, 'checkOwned'>
  find: (place: DeckPlace) => Promise<Edge>
  /** Changes an edge with its row locked, with an audit record and an event. */
  change: (
    place: DeckPlace,
    who: Who,
    event: 'edge.changed',
    work: (trx: Transaction<Database>, emit: Emit, before: Edge) => Promise<Record<string, unknown>>,
  ) => Promise<Edge>
  /** Increments the edge's revision. */
  touch: (trx: Transaction<Database>, place: DeckPlace, personId: string) => Promise<unknown>
}

/** Returns whether a deck is or was attached to the edge. */
export const knowsDeck = (edge: Edge, serial: string): boolean =>
  edge.report?.decks.devices.some((deck) => deck.serial === serial) === true ||
  edge.decks.some((deck) => deck.serial === serial)

/**
 * The keys of decks at edges, and the accounts for which they act. Only the owner of the project changes them, because
 * a key gives the rights of its account to the user who edits the key. A deck acts for another member only after that
 * member has agreed.
 */
export function createDeckKeys({ db, projects, find, change, touch }: DeckKeysParts) {
  async function read(place: DeckPlace, edge: Edge): Promise<EdgeDeckSettings> {
    return { ...(await createDeckKeyRepository(db).read(place)), revision: edge.revision }
  }

  async function changeDeck(
    who: Who,
    place: DeckPlace,
    revision: number | undefined,
    work: (within: ReturnType<typeof createDeckKeyRepository>) => Promise<Record<string, unknown>>,
  ): Promise<EdgeDeckSettings> {
    await projects.checkOwned(who.caller, place.projectId)
    const edge = await change(place, who, 'edge.changed', async (trx, emit, before) => {
      if (!knowsDeck(before, place.serial)) throw new AppError('NOT_FOUND')
      refuseStale(before, revision)
      const within = createDeckKeyRepository(trx)
      await within.keep(place)
      const detail = await work(within)
      await touch(trx, place, who.caller.personId)
      const { edgeId, serial } = place
      await emit({ topic: edgeNodeTopic, name: deckEvent, data: { edgeId, serial } })
      return { deck: serial, ...detail }
    })
    return read(place, edge)
  }

  /** Agrees to a deck for the caller, or withdraws. The caller need not see the edges of the project. */
  async function setAgreed(
    who: Who,
    { edgeId, serial }: Omit<DeckPlace, 'projectId'>,
    isAgreed: boolean,
  ): Promise<void> {
    const { personId } = who.caller
    const own = await createDeckKeyRepository(db).assignedTo(personId)
    const deck = own.find(({ edge, serial: one }) => edge._id === edgeId && one === serial)
    if (deck === undefined) throw new AppError('NOT_FOUND')
    const place = { projectId: deck.project._id, edgeId, serial }
    await change(place, who, 'edge.changed', async (trx) => {
      // The edge may have moved, and the owner may have chosen another account.
      if (!(await createDeckKeyRepository(trx).setAgreed(place, personId, isAgreed)))
        throw new AppError('NOT_FOUND')
      await touch(trx, place, personId)
      return { deck: serial, ...(isAgreed ? { agreed: personId } : { account: null }) }
    })
  }

  return {
    /** Lists the decks that act for the caller, or wait for the caller's agreement. */
    async listOwn({ personId }: Caller): Promise<{ items: OwnEdgeDeck[]; total: number }> {
      const items = await createDeckKeyRepository(db).assignedTo(personId)
      return { items, total: items.length }
    },

    agree: (who: Who, deck: Omit<DeckPlace, 'projectId'>) => setAgreed(who, deck, true),
    withdraw: (who: Who, deck: Omit<DeckPlace, 'projectId'>) => setAgreed(who, deck, false),

    async read(place: DeckPlace): Promise<EdgeDeckSettings> {
      const edge = await find(place)
      if (!knowsDeck(edge, place.serial)) throw new AppError('NOT_FOUND')
      return read(place, edge)
    },

    update: (
      who: Who,
      place: DeckPlace,
      { account, isLocked }: BodyOf<typeof edgeDeckEndpoints.update>,
      revision: number | undefined,
    ): Promise<EdgeDeckSettings> =>
      changeDeck(who, place, revision, async (within) => {
        if (typeof account === 'string' && !(await within.isMember(place.projectId, account)))
          throw new AppError('UNKNOWN_PERSON')
        if (account !== undefined || isLocked !== undefined)
          await within.update(place, { account, isLocked }, who.caller.personId)
        return { ...(account !== undefined && { account }), ...(isLocked !== undefined && { isLocked }) }
      }),

    async setPage(
      who: Who,
      place: DeckPlace & { page: string },
      { keys, face }: BodyOf<typeof edgeDeckEndpoints.setPage>,
      revision: number | undefined,
    ): Promise<EdgeDeckSettings> {
      const page = Number(place.page)
      if (!/^\d$/.test(place.page) || page >= limits.edgeDeckPagesMax) throw new AppError('NOT_FOUND')
      const picture = face === null ? null : Buffer.from(face, 'base64')
      if (picture !== null) await checkPicture(picture)
      return changeDeck(who, place, revision, async (within) => {
        if (keys.length === 0) await within.removePage(place, page)
        else await within.setPage(place, { page, keys, face: picture })
        // The audit log records the keys, because they show what other users can start with the account of the deck.
        return { page, keys }
      })
    },
  }
}
export type DeckKeys = ReturnType<typeof createDeckKeys>
