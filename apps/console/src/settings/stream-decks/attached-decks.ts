/// <reference types="w3c-web-hid" />
import { createStore } from '#platform/store.ts'
import { type DeckContent, type DrivenDeck, openDeck } from './deck-driver.ts'
import type { DeckModel } from './deck-models.ts'

/*
 * The decks attached to this machine. One tab of a browser drives all of them, because two tabs would both run a
 * key's action.
 */

export interface AttachedDeck {
  serial: string
  name: string
  firmware: string
  model: DeckModel
}

interface AttachedDecks {
  decks: readonly AttachedDeck[]
  /** True while another tab of this browser drives the decks. */
  isElsewhere: boolean
  /** The error with which the last deck failed to open or disconnected. */
  failure: unknown
}

export const attachedDecks = createStore<AttachedDecks>({ decks: [], isElsewhere: false, failure: null })

interface DeckHandlers {
  /** Returns the content of a deck. */
  contentOf: (deck: AttachedDeck) => DeckContent | null
  onKey: (serial: string, index: number) => void
}

const elgato = 0x0fd9
const lockName = 'pult.stream-decks'

let handlers: DeckHandlers = { contentOf: () => null, onKey: () => {} }
const driven = new Map<HIDDevice, DrivenDeck>()
const opening = new Set<HIDDevice>()
let isDriving = false

const hid = (): HID | undefined => ('hid' in navigator ? navigator.hid : undefined)

/** Returns whether this browser can use decks. It requires HTTPS. */
export const deckSupport = (): 'yes' | 'insecure' | 'no' =>
  hid() !== undefined ? 'yes' : isSecureContext ? 'no' : 'insecure'

const infoOf = ({ serial, firmware, model }: DrivenDeck): AttachedDeck => ({
  serial,
  firmware,
  model,
  name: model.name,
})

function publish(more: Partial<AttachedDecks> = {}): void {
  attachedDecks.set({ ...attachedDecks.get(), ...more, decks: [...driven.values()].map(infoOf) })
}

/** Redraws every deck with its current content. */
export function refreshDecks(): void {
  for (const deck of driven.values()) {
    const content = handlers.contentOf(infoOf(deck))
    if (content !== null) deck.show(content)
  }
}

async function open(device: HIDDevice): Promise<void> {
  if (!isDriving || device.vendorId !== elgato || driven.has(device) || opening.has(device)) return
  opening.add(device)
  try {
    const deck = await openDeck(device, {
      onKey: (index) => handlers.onKey(deck.serial, index),
      onFailure: (failure) => {
        publish({ failure })
        void close(device)
      },
    })
    if (!isDriving) return await deck.close()
    driven.set(device, deck)
    publish({ failure: null })
    refreshDecks()
  } catch (failure) {
    publish({ failure })
  } finally {
    opening.delete(device)
  }
}

async function close(device: HIDDevice): Promise<void> {
  const deck = driven.get(device)
  driven.delete(device)
  publish()
  await deck?.close()
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
export async function identifyDeck(serial: string): Promise<void> {
  const deck = [...driven.values()].find((one) => one.serial === serial)
  try {
    await deck?.flash()
  } catch (failure) {
    publish({ failure })
  }
  refreshDecks()
}

/** Closes a deck and revokes this page's permission to use it. */
export async function forgetDeck(serial: string): Promise<void> {
  const found = [...driven].find(([, deck]) => deck.serial === serial)
  if (found === undefined) return
  const [device] = found
  await close(device)
  await device.forget()
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
  const unplugged = ({ device }: HIDConnectionEvent) => void close(device)
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
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve())
    if (signal.aborted) resolve()
  })
  await closeDecks()
}

async function closeDecks(): Promise<void> {
  isDriving = false
  await Promise.all([...driven.keys()].map(close))
}
