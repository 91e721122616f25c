import type { BodyOf, DeckWallpaper, StreamDecks, streamDeckEndpoints } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Events } from '#platform/realtime/events.ts'
import { createOwnSettings, type Revised } from '../own-settings.ts'
import { faceOf, type KeyFaces, listOfKeys, withKeys } from './deck-keys.ts'
import type { Pressed, PressKey } from './press-key.ts'
import type { Wallpapers } from './wallpapers.ts'

interface Value {
  brightness: number
  wallpaper: DeckWallpaper | null
  wallpaperText: string
  mapping: Record<string, string[]>
  keys: KeyFaces
}

const defaults: Value = { brightness: 0.7, wallpaper: null, wallpaperText: '', mapping: {}, keys: {} }

interface StreamDeckServiceParts {
  db: Kysely<Database>
  events: Events
  wallpapers: Wallpapers
  pressKey: PressKey
}

/** The Stream Decks of each user: their appearance and the actions of their keys. */
export function createStreamDeckService({ db, events, wallpapers, pressKey }: StreamDeckServiceParts) {
  const decks = createOwnSettings<Value>({ db, events, name: 'stream-decks', defaults })

  const shown = async (caller: Caller, { keys, ...value }: Revised<Value>): Promise<StreamDecks> => ({
    ...value,
    wallpaperSrc: await wallpapers.linkTo(caller, value.wallpaper),
    keys: listOfKeys(keys),
  })

  return {
    read: async (caller: Caller): Promise<StreamDecks> => shown(caller, await decks.read(caller.personId)),

    async update(
      caller: Caller,
      body: BodyOf<typeof streamDeckEndpoints.update>,
      revision: number | undefined,
    ): Promise<StreamDecks> {
      const { brightness, wallpaper, wallpaperText, mapping, keys } = body
      if (mapping !== undefined) checkMapping(mapping)
      if (wallpaper?.type === 'medium') await wallpapers.checkMedium(caller, wallpaper)
      const how = { revision, shown: (value: Revised<Value>) => shown(caller, value) }
      const after = await decks.change(caller.personId, how, async (before, trx) => ({
        ...(brightness !== undefined && { brightness: inSteps(brightness) }),
        ...(wallpaper !== undefined && {
          wallpaper: await wallpapers.replace(trx, caller, { before: before.wallpaper, by: wallpaper }),
        }),
        ...(wallpaperText !== undefined && { wallpaperText }),
        ...(mapping !== undefined && { mapping: withoutEmpty(mapping) }),
        ...(keys !== undefined && { keys: withKeys(before.keys, keys) }),
      }))
      return shown(caller, after)
    },

    /** @throws KEY_WITHOUT_ACTION, and every error of the action's own call */
    async press(caller: Caller, place: { slot: number; key: number }, address: string): Promise<Pressed> {
      const { keys } = await decks.read(caller.personId)
      const action = faceOf(keys, place)?.action ?? null
      if (action === null) throw new AppError('KEY_WITHOUT_ACTION')
      return pressKey({ caller, ...place, address }, action)
    },
  }
}
export type StreamDeckService = ReturnType<typeof createStreamDeckService>

/** Tolerates floating-point errors: 0.58 / 0.02 is not 29. */
const inSteps = (brightness: number) => Math.round(brightness * 50) / 50

/** A deck cannot show the pictures of two slots. */
function checkMapping(mapping: Value['mapping']): void {
  const serials = Object.values(mapping).flat()
  if (new Set(serials).size < serials.length) throw new AppError('DECK_IN_TWO_SLOTS')
}

const withoutEmpty = (mapping: Value['mapping']): Value['mapping'] =>
  Object.fromEntries(Object.entries(mapping).filter(([, serials]) => serials.length > 0))
