import { type StreamDecks, streamDeckEndpoints } from '@pult/contract'
import { oneAtATime } from '@pult/sdk/host'
import { conflictOf } from '@pult/sdk/resource'
import { useEffect } from 'react'
import { api } from '#platform/api.ts'
import { subscribe } from '#platform/realtime.ts'
import { session } from '#platform/session.ts'
import { createStore } from '#platform/store.ts'
import { useStore } from '#platform/use-store.ts'
import { type DeckChange, inverseOf, isContested, isNothing, merged, withChange } from './deck-change.ts'

/*
 * The settings as they are on screen and on the decks: what is saved with what is not saved yet on top, so that a slider
 * dims a deck while it moves. A moment after the last change all of it is sent.
 */

interface DeckSettings {
  /** Null until they are there. */
  settings: StreamDecks | null
  /** Why they could not be read. */
  error: unknown
  saving: 'saved' | 'saving' | 'failed'
  /** Why they could not be saved. */
  savingError: unknown
  /** Another browser has changed the same meanwhile: what it made of it. */
  conflict: { theirs: StreamDecks; mine: DeckChange } | null
  canUndo: boolean
}

const initial: DeckSettings = {
  settings: null,
  error: null,
  saving: 'saved',
  savingError: null,
  conflict: null,
  canUndo: false,
}

export const deckSettings = createStore<DeckSettings>(initial)

/** From the last change until it is sent: a slider that moves is one change. */
const saveDelay = 400
/** Changes of the same within this time are taken back together. */
const oneStroke = 1000
const undoMost = 100

interface Stroke {
  inverse: DeckChange
  /** What it is about. */
  about: string
  at: number
}

let saved: StreamDecks | null = null
let sent: DeckChange = {}
let waiting: DeckChange = {}
let strokes: Stroke[] = []
let timer = 0

function show(more: Partial<DeckSettings> = {}): void {
  const settings = saved && withChange(withChange(saved, sent), waiting)
  const isSaved = isNothing(sent) && isNothing(waiting)
  const before = deckSettings.get()
  const saving = more.saving ?? (isSaved ? 'saved' : before.saving === 'failed' ? 'failed' : 'saving')
  deckSettings.set({ ...before, saving, ...more, settings, canUndo: strokes.length > 0 })
}

session.subscribe(() => {
  if (session.get().status !== 'signed-out') return
  clearTimeout(timer)
  ;[saved, sent, waiting, strokes] = [null, {}, {}, []]
  deckSettings.set(initial)
})

/** Reads them again, unless something is on its way to the server: its answer is newer then. */
export const readDeckSettings = oneAtATime(async () => {
  try {
    const settings = await api(streamDeckEndpoints.read, { background: true })
    // What waits was made from what was read before, and the server is told so.
    if (isNothing(sent) && isNothing(waiting)) saved = settings
    show({ error: null })
  } catch (error) {
    show({ error })
    throw error
  }
})

/** Changes settings at once, here and on the decks; they are saved by themselves. */
export function changeDecks(change: DeckChange): void {
  const { settings, conflict } = deckSettings.get()
  if (settings === null || conflict !== null) return
  remember(inverseOf(settings, change), aboutOf(change))
  put(change)
}

/** Takes the last change back. */
export function undoDecks(): void {
  const stroke = strokes.pop()
  if (stroke !== undefined) put(stroke.inverse)
}

function put(change: DeckChange): void {
  waiting = merged(waiting, change)
  clearTimeout(timer)
  timer = window.setTimeout(() => void saveDecks(), saveDelay)
  show({ saving: 'saving' })
}

function remember(inverse: DeckChange, about: string): void {
  if (isNothing(inverse)) return
  const last = strokes.at(-1)
  const at = performance.now()
  // A slider and a text come in many small changes; one of the mapping stands for itself.
  const goesOn = last?.about === about && about !== 'mapping' && at - last.at < oneStroke
  if (goesOn) last.at = at
  else strokes = [...strokes, { inverse, about, at }].slice(-undoMost)
}

const aboutOf = ({ keys = [], ...change }: DeckChange) =>
  [...Object.keys(change), ...keys.map(({ slot, key }) => `${slot}/${key}`)].join()

/** Sends what waits, now. */
export async function saveDecks(): Promise<void> {
  clearTimeout(timer)
  if (saved === null || !isNothing(sent) || isNothing(waiting)) return
  ;[sent, waiting] = [waiting, {}]
  show({ saving: 'saving', savingError: null })
  try {
    saved = await api(streamDeckEndpoints.update, { body: sent, revision: saved.revision })
    sent = {}
    show()
    if (!isNothing(waiting)) await saveDecks()
  } catch (error) {
    const mine = merged(sent, waiting)
    sent = {}
    const theirs = conflictOf(error, streamDeckEndpoints.update)
    if (theirs === null) {
      waiting = mine
      show({ saving: 'failed', savingError: error })
    } else await settle(theirs, mine)
  }
}

/** What both have changed is for the person to decide; the rest goes together. */
async function settle(theirs: StreamDecks, mine: DeckChange): Promise<void> {
  const isOpen = saved !== null && isContested(saved, theirs, mine)
  saved = theirs
  waiting = isOpen ? {} : mine
  show({ conflict: isOpen ? { theirs, mine } : null })
  if (!isOpen) await saveDecks()
}

/** Decides a conflict: what was done here counts, or what was done elsewhere. */
export async function decideConflict(keep: 'mine' | 'theirs'): Promise<void> {
  const { conflict } = deckSettings.get()
  if (conflict === null) return
  waiting = keep === 'mine' ? conflict.mine : {}
  if (keep === 'theirs') strokes = []
  show({ conflict: null })
  await saveDecks()
}

let followers = 0
let stopFollowing = () => {}

/** The settings, kept as the server has them while anybody shows them. */
export function useDeckSettings(): DeckSettings {
  useEffect(() => {
    followers += 1
    if (followers === 1) {
      readDeckSettings()
      stopFollowing = subscribe('settings', ({ kind }) => {
        if (kind !== 'ended') readDeckSettings()
      })
    }
    return () => {
      followers -= 1
      if (followers === 0) stopFollowing()
    }
  }, [])
  return useStore(deckSettings)
}
