import type { EdgeReport } from '@pult/contract'
import type { Kysely } from 'kysely'
import * as z from 'zod'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '#platform/log.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { Agent, AgentDoor } from '../agents/agent-door.ts'
import { edgeNodeTopic } from '../edge-news.ts'
import { pixelsOf } from './deck-picture.ts'

interface EdgeDecksParts {
  db: Kysely<Database>
  events: Events
  door: Pick<AgentDoor, 'send' | 'reportOf'>
  log: Log
}

/** The event with which the node that an edge is connected to learns that one of its decks shows something else. */
export const deckEvent = 'edge:deck'

const deckEventData = z.object({ edgeId: z.string(), serial: z.string() })

/** Tells Stream Decks that are attached to edges what they show: when it changes, and when they are attached. */
export function createEdgeDecks({ db, events, door, log }: EdgeDecksParts) {
  events.listen(({ topic, name, data }) => {
    if (topic === edgeNodeTopic && name === deckEvent) {
      const { edgeId, serial } = deckEventData.parse(data)
      show(edgeId, serial)
    }
  })

  /** Serials of decks that wait until they are told, by edge. */
  const waiting = new Map<string, Set<string>>()

  /** One deck of an edge after the other: the pictures of all at once are more than an agent may leave unread. */
  function show(edgeId: string, serial: string): void {
    const others = waiting.get(edgeId)
    if (others !== undefined) return void others.add(serial)
    const serials = new Set([serial])
    waiting.set(edgeId, serials)
    void tellAll(edgeId, serials)
  }

  async function tellAll(edgeId: string, serials: Set<string>): Promise<void> {
    for (const serial of serials) {
      // What changes while it is told is told again.
      serials.delete(serial)
      await tell(edgeId, serial).catch((err: unknown) =>
        log.warn({ err }, 'a deck of an edge could not be told what it shows'),
      )
    }
    waiting.delete(edgeId)
  }

  async function tell(edgeId: string, serial: string): Promise<void> {
    const device = door.reportOf(edgeId)?.decks.devices.find((deck) => deck.serial === serial)
    if (device === undefined) return
    const settings = await db
      .selectFrom('edge_deck')
      .select(['brightness', 'picture'])
      .where('edge_id', '=', edgeId)
      .where('serial', '=', serial)
      .executeTakeFirst()
    if (settings === undefined) return
    const { width, height } = device
    const { brightness, picture } = settings
    const rgb = picture === null || width * height === 0 ? null : await pixelsOf(picture, { width, height })
    await door.send(edgeId, {
      type: 'deck',
      serial,
      brightness,
      picture: rgb === null ? null : { width, height, rgb: rgb.toString('base64') },
    })
  }

  return {
    /** A deck that was not in the report before was just attached, or its agent has just come. */
    onReport({ edgeId, report }: Agent, before: EdgeReport | null): void {
      const known = new Set(before?.decks.devices.map(({ serial }) => serial))
      for (const { serial } of report?.decks.devices ?? []) if (!known.has(serial)) show(edgeId, serial)
    },
  }
}
