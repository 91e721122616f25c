import type { EdgeDeckStep, EdgeReport } from '@pult/contract'
import type { Kysely } from 'kysely'
import * as z from 'zod'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '#platform/log.ts'
import type { Events } from '#platform/realtime/events.ts'
import { whenAnswered } from '#platform/transient.ts'
import type { Agent, AgentGateway } from '../agents/agent-gateway.ts'
import { edgeNodeTopic } from '../edge-topic.ts'
import { createDeckKeyRepository } from './deck-key.repository.ts'
import { pixelsOf } from './deck-picture.ts'

interface EdgeDecksParts {
  db: Kysely<Database>
  events: Events
  gateway: Pick<AgentGateway, 'send' | 'reportOf'>
  log: Log
}

/** The event that informs all nodes of a changed deck. The node of the edge's connection acts on it. */
export const deckEvent = 'edge:deck'

/** Milliseconds for which a display is sent again while the database does not answer. */
const repeatFor = 60_000

const deckEventData = z.object({ edgeId: z.string(), serial: z.string() })

/** Sends the desired display to Stream Decks attached to edges: when it changes, and when a deck is attached. */
export function createEdgeDecks({ db, events, gateway, log }: EdgeDecksParts) {
  events.listen(({ topic, name, data }) => {
    if (topic === edgeNodeTopic && name === deckEvent) {
      const { edgeId, serial } = deckEventData.parse(data)
      show(edgeId, serial)
    }
  })

  /** Serials of decks with a pending display command, by edge. */
  const waiting = new Map<string, Set<string>>()

  /** Sends the decks of an edge one at a time. All pictures together would exceed the limit of unsent bytes. */
  function show(edgeId: string, serial: string): void {
    const others = waiting.get(edgeId)
    if (others !== undefined) return void others.add(serial)
    const serials = new Set([serial])
    waiting.set(edgeId, serials)
    void sendAll(edgeId, serials)
  }

  async function sendAll(edgeId: string, serials: Set<string>): Promise<void> {
    for (const serial of serials) {
      // A change during a command is sent again afterwards.
      serials.delete(serial)
      await whenAnswered(() => sendDisplay(edgeId, serial), repeatFor).catch((err: unknown) =>
        log.warn({ err }, 'the display of a deck could not be sent'),
      )
    }
    waiting.delete(edgeId)
  }

  async function sendDisplay(edgeId: string, serial: string): Promise<void> {
    const device = gateway.reportOf(edgeId)?.decks.devices.find((deck) => deck.serial === serial)
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
    const shownOf = async (face: Buffer | null) => {
      // A picture that cannot be read hides neither the brightness nor the keys.
      const rgb =
        width * height === 0
          ? null
          : await pixelsOf(picture, { width, height, face }).catch((err: unknown) => {
              log.warn({ err, edgeId, serial }, 'the picture of a deck cannot be read')
              return null
            })
      return rgb === null ? null : { width, height, rgb: rgb.toString('base64') }
    }
    await gateway.send(edgeId, { type: 'deck', serial, brightness, picture: await shownOf(null) })
    const pages = await createDeckKeyRepository(db).pagesOf({ edgeId, serial })
    const count = Math.max(0, ...pages.map(({ page }) => page)) + 1
    for (let page = 0; page < count; page += 1) {
      const { keys = [], face = null } = pages.find((one) => one.page === page) ?? {}
      await gateway.send(edgeId, {
        type: 'desk',
        serial,
        page,
        pages: count,
        picture: face === null ? null : await shownOf(face),
        keys: keys.map(({ key, press, hold }) => ({ key, press: moveOf(press), hold: moveOf(hold) })),
      })
    }
  }

  return {
    /** Sends the display of decks that were missing in the previous report: newly attached, or of a new connection. */
    onReport({ edgeId, report }: Agent, before: EdgeReport | null): void {
      const known = new Set(before?.decks.devices.map(({ serial }) => serial))
      for (const { serial } of report?.decks.devices ?? []) if (!known.has(serial)) show(edgeId, serial)
    },
  }
}

/** Returns the handling of a press: the agent changes the page, and asks the server for all other actions. */
function moveOf([step]: readonly EdgeDeckStep[]): 'ask' | { page: number } | null {
  if (step === undefined) return null
  return step.type === 'page' ? { page: step.page } : 'ask'
}
