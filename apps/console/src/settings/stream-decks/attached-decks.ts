/// <reference types="w3c-web-hid" />
import { createStore } from '#platform/store.ts'
import { type DeckContent, type DrivenDeck, openDeck, SilentDeck } from './deck-driver.ts'
import type { DeckModel } from './deck-models.ts'

/*
 * The decks attached to this machine. One tab of a browser drives all of them, because two tabs would both run a
 * key's action. Each deck is opened, drawn and closed on its own (decision record 211).
 */

export interface AttachedDeck {
  /** Identifies the deck in this tab, because two decks can report the same serial number. */
  id: string
  /** Null if the deck reports none, so that it belongs to no slot. */
  serial: string | null
  name: string
  firmware: string
  model: DeckModel
}

/** A deck that is attached but not driven. */
export interface FaultyDeck {
  id: string
  name: string
  isSilent: boolean
  error: unknown
}

interface AttachedDecks {
  decks: readonly AttachedDeck[]
  faulty: readonly FaultyDeck[]
  /** True while another tab of this browser drives the decks. */
  isElsewhere: boolean
  /** The error of the browser's device picker, or of removing a deck. */
  failure: unknown
}

export const attachedDecks = createStore<AttachedDecks>({
  decks: [],
  faulty: [],
  isElsewhere: false,
  failure: null,
})

interface DeckHandlers {
  /** Returns the content of a deck. */
  contentOf: (deck: AttachedDeck) => DeckContent | null
  onKey: (deck: AttachedDeck, index: number) => void
}

/** Milliseconds between two checks for decks to draw again, and by which one is late after a sleep of the computer. */
const checkEvery = 10_000
const sleepLeast = 10_000
/** Milliseconds after which decks are drawn again: always, and when a key is pressed. */
const redrawAfter = { always: 300_000, press: 60_000 }
/** Milliseconds until a faulty deck is opened again. Each further fault doubles them. */
const reopenAfter = { first: 10_000, most: 300_000 }

const elgato = 0x0fd9
const lockName = 'pult.stream-decks'

let handlers: DeckHandlers = { contentOf: () => null, onKey: () => {} }
const driven = new Map<HIDDevice, DrivenDeck>()
/** Devices that are being opened. An entry ends when its device is unplugged. */
const opening = new Map<HIDDevice, object>()
/** The devices with a fault, and its error. */
const faults = new Map<HIDDevice, unknown>()
/** The last fault of each device since it was plugged in: its time, and the pause after it. Milliseconds. */
const pauses = new Map<HIDDevice, { at: number; pause: number }>()
/** The last call that opens or closes a device. The next one waits for it, because both use the same handle. */
const calls = new WeakMap<HIDDevice, Promise<unknown>>()
const ids = new WeakMap<HIDDevice, string>()
let devicesSeen = 0
let isDriving = false
/** Time of the last complete drawing of all decks, by `performance.now()`. */
let redrawnAt = 0

const hid = (): HID | undefined => ('hid' in navigator ? navigator.hid : undefined)

/** Returns whether this browser can use decks. It requires HTTPS. */
export const deckSupport = (): 'yes' | 'insecure' | 'no' =>
  hid() !== undefined ? 'yes' : isSecureContext ? 'no' : 'insecure'

function idOf(device: HIDDevice): string {
  const id = ids.get(device) ?? `deck-${(devicesSeen += 1)}`
  ids.set(device, id)
  return id
}

const infoOf = ({ device, serial, firmware, model }: DrivenDeck): AttachedDeck => ({
  id: idOf(device),
  serial,
  firmware,
  model,
  name: model.name,
})

function publish(more: Partial<AttachedDecks> = {}): void {
  const faulty = [...faults].map(([device, error]) => ({
    id: idOf(device),
    name: device.productName || 'Stream Deck',
    isSilent: error instanceof SilentDeck,
    error,
  }))
  attachedDecks.set({ ...attachedDecks.get(), ...more, decks: [...driven.values()].map(infoOf), faulty })
}

/** Redraws every deck with its current content. */
export function refreshDecks(): void {
  for (const deck of driven.values()) {
    const content = handlers.contentOf(infoOf(deck))
    if (content !== null) deck.show(content)
  }
}

/** Draws everything again. A controller can lose its content without a disconnect, which no call reports. */
function redrawDecks(): void {
  redrawnAt = performance.now()
  for (const deck of driven.values()) deck.forget()
  refreshDecks()
}

/** A deck that has worked for the longest pause starts with the first one again. */
function setFault(device: HIDDevice, error: unknown): void {
  faults.set(device, error)
  const at = Date.now()
  const last = pauses.get(device)
  const isRepeated = last !== undefined && Math.abs(at - last.at) < last.pause + reopenAfter.most
  const pause = isRepeated ? Math.min(2 * last.pause, reopenAfter.most) : reopenAfter.first
  pauses.set(device, { at, pause })
}

function clearFault(device: HIDDevice): void {
  faults.delete(device)
  pauses.delete(device)
}

/** Opens the faulty decks again, because a deck that fails once may send no further event (decision record 258). */
function reopenFaulty(isDue: (device: HIDDevice) => boolean): void {
  for (const device of [...faults.keys()].filter(isDue)) void open(device)
}

/** The time of day, because the other clock may stand still during a sleep. */
function hasPaused(device: HIDDevice): boolean {
  const { at = 0, pause = 0 } = pauses.get(device) ?? {}
  return Math.abs(Date.now() - at) >= pause
}

function redrawAfterPause(pause: number): void {
  if (performance.now() - redrawnAt >= pause) redrawDecks()
}

/**
 * Draws the decks again when the page becomes visible, after a sleep of the computer, and every few minutes. Opens
 * faulty decks again when the page becomes visible, and after a growing pause. Returns a function that stops it.
 */
function keepDrawn(): () => void {
  let checkedAt = Date.now()
  const timer = setInterval(() => {
    // The other clock stands still during a sleep in some browsers. A changed system clock does no harm.
    const hasSlept = Math.abs(Date.now() - checkedAt - checkEvery) >= sleepLeast
    checkedAt = Date.now()
    redrawAfterPause(hasSlept ? 0 : redrawAfter.always)
    reopenFaulty(hasPaused)
  }, checkEvery)
  const drawIfVisible = () => {
    if (document.visibilityState !== 'visible') return
    redrawDecks()
    reopenFaulty(() => true)
  }
  document.addEventListener('visibilitychange', drawIfVisible)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', drawIfVisible)
  }
}

function inTurn<Result>(device: HIDDevice, work: () => Promise<Result>): Promise<Result> {
  const call = (calls.get(device) ?? Promise.resolve()).then(work)
  calls.set(
    device,
    call.catch(() => {}),
  )
  return call
}

async function open(device: HIDDevice): Promise<void> {
  if (!isDriving || device.vendorId !== elgato || driven.has(device) || opening.has(device)) return
  const listeners = {
    onKey: (index: number) => {
      const deck = driven.get(device)
      if (deck === undefined) return
      redrawAfterPause(redrawAfter.press)
      handlers.onKey(infoOf(deck), index)
    },
    onFailure: (error: unknown) => {
      if (!driven.has(device)) return
      setFault(device, error)
      void close(device)
    },
  }
  const attempt = {}
  opening.set(device, attempt)
  const isWanted = () => isDriving && opening.get(device) === attempt
  try {
    const deck = await inTurn(device, async () => (isWanted() ? openDeck(device, listeners) : null))
    if (deck === null) return
    if (!isWanted()) return await inTurn(device, deck.close)
    driven.set(device, deck)
    faults.delete(device)
    publish({ failure: null })
    refreshDecks()
  } catch (error) {
    if (!isWanted()) return
    setFault(device, error)
    publish()
  } finally {
    if (opening.get(device) === attempt) opening.delete(device)
  }
}

async function close(device: HIDDevice): Promise<void> {
  const deck = driven.get(device)
  driven.delete(device)
  publish()
  if (deck !== undefined) await inTurn(device, deck.close)
}

/** Opens a deck with a fault again. */
export async function retryDeck(id: string): Promise<void> {
  const device = [...faults.keys()].find((one) => idOf(one) === id)
  if (device !== undefined) await open(device)
}

/** Opens the browser's device picker. Must be called from a user gesture. */
export async function connectDecks(): Promise<void> {
  try {
    const devices = (await hid()?.requestDevice({ filters: [{ vendorId: elgato }] })) ?? []
    await Promise.all(devices.map(open))
  } catch (failure) {
    publish({ failure })
  }
}

/** Flashes one deck to identify it. */
export async function identifyDeck(id: string): Promise<void> {
  const deck = [...driven.values()].find(({ device }) => idOf(device) === id)
  try {
    await deck?.flash()
  } catch (error) {
    if (deck === undefined || driven.get(deck.device) !== deck) return
    setFault(deck.device, error)
    await close(deck.device)
  }
  refreshDecks()
}

/** Closes a deck and revokes this page's permission to use it. */
export async function forgetDeck(id: string): Promise<void> {
  const device = [...driven.keys(), ...faults.keys()].find((one) => idOf(one) === id)
  if (device === undefined) return
  clearFault(device)
  await close(device)
  try {
    await device.forget()
  } catch (failure) {
    publish({ failure })
  }
}

/** Takes over the decks from the tab that drives them. */
export function takeDecks(): void {
  void drive({ steal: true })
}

/**
 * Drives the decks that the user has allowed this page to use, including those plugged in later, once no other tab
 * does. Returns a function that stops it.
 */
export function driveDecks(given: DeckHandlers): () => void {
  const devices = hid()
  if (devices === undefined) return () => {}
  handlers = given
  const plugged = ({ device }: HIDConnectionEvent) => void open(device)
  const unplugged = ({ device }: HIDConnectionEvent) => {
    opening.delete(device)
    clearFault(device)
    void close(device)
  }
  devices.addEventListener('connect', plugged)
  devices.addEventListener('disconnect', unplugged)
  void drive({})
  return () => {
    devices.removeEventListener('connect', plugged)
    devices.removeEventListener('disconnect', unplugged)
    release()
  }
}

let release = () => {}

async function drive({ steal = false }): Promise<void> {
  const waiting = new AbortController()
  release()
  release = () => waiting.abort()
  // Reports that another tab drives the decks. The lock is granted when that tab closes.
  const held = await navigator.locks.query().catch(() => null)
  // A browser that blocks site data rejects locks.
  if (held === null) return holdDecks(waiting.signal)
  publish({ isElsewhere: !steal && held.held?.some(({ name }) => name === lockName) === true })
  try {
    const options = steal ? { steal } : { signal: waiting.signal }
    await navigator.locks.request(lockName, options, () => holdDecks(waiting.signal))
  } catch {
    // Cancelled while waiting, or another tab has taken the lock. In the second case this tab waits for it.
    if (!waiting.signal.aborted) void drive({})
  }
}

/** Holds the decks until the signal aborts or another tab takes the lock. */
async function holdDecks(signal: AbortSignal): Promise<void> {
  isDriving = true
  publish({ isElsewhere: false })
  const devices = (await hid()?.getDevices()) ?? []
  await Promise.all(devices.map(open))
  const stop = keepDrawn()
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve())
    if (signal.aborted) resolve()
  })
  stop()
  await closeDecks()
}

async function closeDecks(): Promise<void> {
  isDriving = false
  faults.clear()
  pauses.clear()
  await Promise.all([...driven.keys()].map(close))
  publish()
}
