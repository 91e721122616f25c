import { type StreamDecks, streamDeckEndpoints } from '@pult/contract'
import { isReadSinceOpening, oneAtATime } from '@pult/sdk/host'
import { conflictOf } from '@pult/sdk/resource'
import { useEffect } from 'react'
import { api } from '#platform/api.ts'
import { ApiError } from '#platform/api-error.ts'
import { draftsOf } from '#platform/drafts.ts'
import { isOfProxy } from '#platform/foreign-answer.ts'
import { notify } from '#platform/notify.ts'
import { subscribe } from '#platform/realtime.ts'
import { session } from '#platform/session.ts'
import { createStore } from '#platform/store.ts'
import type { TopicNews } from '#platform/topics.ts'
import { createUnsavedInput } from '#platform/unsaved-input/unsaved-input.ts'
import { useStore } from '#platform/use-store.ts'
import {
  type DeckChange,
  inverseOf,
  isContested,
  isNothing,
  merged,
  partsOf,
  withChange,
} from './deck-change.ts'
import { texts } from './stream-decks.texts.ts'

/*
 * The settings on screen and on the decks: the saved settings with unsaved changes on top, so that a slider dims a
 * deck while it moves. Changes are sent after a debounce.
 */

interface DeckSettings {
  /** Null until they have loaded. */
  settings: StreamDecks | null
  /** The error of the last read. */
  error: unknown
  saving: 'saved' | 'saving' | 'failed'
  /** The error of the last save. */
  savingError: unknown
  /** A concurrent change of the same fields by another browser. */
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

/** Milliseconds from the last change to the request, so that a moving slider sends one change. */
const saveDelay = 400
/** Milliseconds. Repeated changes of the same field within this time are undone together. */
const oneStroke = 1000
const maxUndoSteps = 100

interface Stroke {
  inverse: DeckChange
  /** Identifies the changed field. */
  about: string
  at: number
}

/** Unsaved changes that outlive the session. */
interface Draft {
  mine: DeckChange
  /** The settings that they change; null while the user has a conflict to resolve. */
  base: StreamDecks | null
}

const draftName = 'stream decks'

let saved: StreamDecks | null = null
let sent: DeckChange = {}
let waiting: DeckChange = {}
/** Whether parts are saved one by one, because the server has refused some of them together. */
let isSplit = false
let strokes: Stroke[] = []
let timer = 0

function show(more: Partial<DeckSettings> = {}): void {
  const settings = saved && withChange(withChange(saved, sent), waiting)
  const isSaved = isNothing(sent) && isNothing(waiting)
  const before = deckSettings.get()
  const saving = more.saving ?? (isSaved ? 'saved' : before.saving === 'failed' ? 'failed' : 'saving')
  deckSettings.set({ ...before, saving, ...more, settings, canUndo: strokes.length > 0 })
}

/** Guards unsaved changes against a reload only: on other pages of the console this module stays loaded. */
const input = createUnsavedInput()
let release: (() => void) | null = null
deckSettings.subscribe(() => {
  const { saving, conflict } = deckSettings.get()
  if (saving !== 'saved' || conflict !== null) release ??= input.hold()
  else {
    release?.()
    release = null
  }
})

/** Takes over the first settings of a session, and the changes that the user's last session left unsaved. */
function begin(settings: StreamDecks): void {
  const current = session.get()
  if (current.status !== 'signed-in') return
  const drafts = draftsOf(current.credentials._id)
  const draft = drafts.find(draftName) as Draft | undefined
  const stopKeeping = drafts.keep(draftName, unsavedChanges)
  // Subscribes after the draft has subscribed, so that the draft is stored first.
  const stop = session.subscribe(() => {
    if (session.get().status !== 'signed-out') return
    stop()
    stopKeeping()
    clearTimeout(timer)
    ;[saved, sent, waiting, strokes, isSplit] = [null, {}, {}, [], false]
    deckSettings.set(initial)
  })
  saved = settings
  if (draft === undefined) return
  saved = draft.base
  void settle(settings, draft.mine)
}

function unsavedChanges(): Draft | undefined {
  const { conflict } = deckSettings.get()
  if (conflict !== null) return { mine: conflict.mine, base: null }
  const mine = merged(sent, waiting)
  return isNothing(mine) ? undefined : { mine, base: saved }
}

/** The last read, which may be in progress. */
let reading: Promise<void> = Promise.resolve()

/** Refetches the settings, unless a change is pending: its response will be newer. */
export const readDeckSettings = oneAtATime(() => {
  reading = read()
  return reading
})

async function read(): Promise<void> {
  try {
    const settings = await api(streamDeckEndpoints.read, { background: true })
    // Pending changes are based on the earlier revision, which the server receives with them.
    if (saved === null) begin(settings)
    else if (isNothing(sent) && isNothing(waiting)) saved = settings
    show({ error: null })
  } catch (error) {
    show({ error })
    throw error
  }
}

/** Changes settings immediately, here and on the decks, and saves them automatically. */
export function changeDecks(change: DeckChange): void {
  const { settings, conflict } = deckSettings.get()
  if (settings === null || conflict !== null) return
  remember(inverseOf(settings, change), aboutOf(change))
  put(change)
}

/** Undoes the last change. */
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
  // A slider or text field makes many small changes, which are merged. Each change of the mapping is a separate step.
  const goesOn = last?.about === about && about !== 'mapping' && at - last.at < oneStroke
  if (goesOn) last.at = at
  else strokes = [...strokes, { inverse, about, at }].slice(-maxUndoSteps)
}

const aboutOf = ({ keys = [], ...change }: DeckChange) =>
  [...Object.keys(change), ...keys.map(({ slot, key }) => `${slot}/${key}`)].join()

/** Sends pending changes immediately. */
export async function saveDecks(): Promise<void> {
  clearTimeout(timer)
  if (saved === null || !isNothing(sent) || isNothing(waiting)) return
  const [first = {}, ...others] = isSplit ? partsOf(waiting) : [waiting]
  ;[sent, waiting] = [first, others.reduce(merged, {})]
  show({ saving: 'saving', savingError: null })
  const base = saved
  try {
    const settings = await api(streamDeckEndpoints.update, { body: sent, revision: base.revision })
    // The session has ended meanwhile, and its draft holds the change.
    if (saved !== base) return
    saved = settings
    sent = {}
    await goOn()
  } catch (error) {
    if (saved !== base) return
    const refused = partsOf(sent)
    const mine = merged(sent, waiting)
    sent = {}
    const theirs = conflictOf(error, streamDeckEndpoints.update)
    if (theirs !== null) return settle(theirs, mine)
    if (isRefused(error) && refused.length === 1) {
      // It would be refused again, and everything after it would wait for it.
      notify.error(texts.changeRefused, error)
      return goOn()
    }
    waiting = mine
    if (!isRefused(error)) return show({ saving: 'failed', savingError: error })
    isSplit = true
    await saveDecks()
  }
}

/** Sends what has changed meanwhile. */
async function goOn(): Promise<void> {
  if (isNothing(waiting)) isSplit = false
  show()
  if (!isNothing(waiting)) await saveDecks()
}

/** Returns whether the server will never accept this change. A session, a proxy or a limit may let it pass later. */
const isRefused = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![401, 408, 429].includes(error.status) &&
  !isOfProxy(error)

/** Conflicting fields are resolved by the user. All others are merged. */
async function settle(theirs: StreamDecks, mine: DeckChange): Promise<void> {
  const isOpen = saved === null || isContested(saved, theirs, mine)
  saved = theirs
  waiting = isOpen ? {} : mine
  show({ conflict: isOpen ? { theirs, mine } : null })
  if (!isOpen) await saveDecks()
}

/** Resolves a conflict in favour of this browser or the other one. */
export async function decideConflict(keep: 'mine' | 'theirs'): Promise<void> {
  const { conflict } = deckSettings.get()
  if (conflict === null) return
  waiting = keep === 'mine' ? conflict.mine : {}
  if (keep === 'theirs') strokes = []
  show({ conflict: null })
  await saveDecks()
}

/** Refetches the settings after an event, and after a gap unless they were read since. */
async function follow(news: TopicNews): Promise<void> {
  if (news.kind === 'gap') await reading.catch(() => {})
  const isKnown = news.kind === 'gap' && isReadSinceOpening(saved, news.at)
  if (news.kind !== 'ended' && !isKnown) readDeckSettings()
}

let followers = 0
let stopFollowing = () => {}

/** Returns the settings, and keeps them up to date while a component uses them. */
export function useDeckSettings(): DeckSettings {
  useEffect(() => {
    followers += 1
    if (followers === 1) {
      readDeckSettings()
      stopFollowing = subscribe('settings', (news) => void follow(news))
    }
    return () => {
      followers -= 1
      if (followers === 0) stopFollowing()
    }
  }, [])
  return useStore(deckSettings)
}
