import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { StreamDeck } from '@elgato-stream-deck/node'
import { type EdgeDeck, type EdgeDeckFault, edgeDeck, usableSerial } from '@pult/contract'
import { printable } from './report.ts'
import { reasonOf } from './state.ts'

/** The part of the library that the agent uses. */
export interface DeckDriver {
  listStreamDecks: () => Promise<{ path: string; model?: string }[]>
  openStreamDeck: (path: string, options: { resetToLogoOnClose: boolean }) => Promise<AttachedDeck>
}
export type AttachedDeck = Pick<
  StreamDeck,
  | 'CONTROLS'
  | 'PRODUCT_NAME'
  | 'calculateFillPanelDimensions'
  | 'clearPanel'
  | 'close'
  | 'fillKeyBuffer'
  | 'fillPanelBuffer'
  | 'getFirmwareVersion'
  | 'getSerialNumber'
  | 'on'
  | 'resetToLogo'
  | 'setBrightness'
>

/** Milliseconds for the logo of a deck that the agent closes. The process ends 500 ms after its last message. */
const logoTime = 300

/** The reason for which a deck cannot be used. */
export class DeckFault extends Error {
  readonly fault: EdgeDeckFault
  readonly detail: string | null
  /** The model, if the deck was opened. */
  readonly model: string | undefined

  constructor(fault: EdgeDeckFault, detail: string | null = null, model?: string) {
    super(detail ?? fault)
    this.fault = fault
    this.detail = detail
    this.model = model
  }
}

/** Rejects with `silent` if a call to a deck takes longer than `most` milliseconds. Such a call cannot be cancelled. */
export async function within<Result>(call: Promise<Result>, most: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeckFault('silent')), most).unref()
  })
  try {
    return await Promise.race([call, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Opens a deck. Throws a `DeckFault` that names the reason. */
export async function openDeck(driver: DeckDriver, path: string): Promise<AttachedDeck> {
  try {
    // The agent shows the logo itself: the library would leave a deck open whose logo cannot be shown.
    return await driver.openStreamDeck(path, { resetToLogoOnClose: false })
  } catch (error) {
    throw new DeckFault(await reasonNotOpen(path, error), printable(reasonOf(error), 200))
  }
}

/** The library reports no code of the operating system for a device that it cannot open. */
async function reasonNotOpen(path: string, error: unknown): Promise<EdgeDeckFault> {
  const isDenied = (found: unknown) => {
    const code = found instanceof Error && 'code' in found ? found.code : undefined
    return code === 'EACCES' || code === 'EPERM'
  }
  if (isDenied(error)) return 'denied'
  const refused = await access(path, constants.R_OK | constants.W_OK).catch((found: unknown) => found)
  return isDenied(refused) ? 'denied' : 'busy'
}

/** Reads the facts of an open deck. Throws a `DeckFault` if it has no usable serial number, or an unknown size. */
export async function readFacts(deck: AttachedDeck, callTime: number): Promise<EdgeDeck> {
  const model = printable(deck.PRODUCT_NAME, 100)
  const reported = await within(deck.getSerialNumber(), callTime).catch((error: unknown) => {
    if (error instanceof DeckFault) throw error
    throw new DeckFault('no-serial', printable(reasonOf(error), 200), model)
  })
  const serial = usableSerial(reported)
  if (serial === null) throw new DeckFault('no-serial', printable(reported.trim(), 64) || null, model)
  const buttons = deck.CONTROLS.filter((control) => control.type === 'button')
  const panel = deck.calculateFillPanelDimensions()
  const facts: EdgeDeck = {
    serial,
    model,
    firmware: await firmwareOf(deck, callTime),
    columns: Math.max(1, ...buttons.map(({ column }) => column + 1)),
    rows: Math.max(1, ...buttons.map(({ row }) => row + 1)),
    width: panel?.width ?? 0,
    height: panel?.height ?? 0,
    problem: null,
  }
  // The server would reject a deck that is larger than it knows.
  if (!edgeDeck.safeParse(facts).success) throw new DeckFault('unknown-model', null, model)
  return facts
}

/** A deck works without a readable version. */
async function firmwareOf(deck: AttachedDeck, callTime: number): Promise<string> {
  try {
    return printable(await within(deck.getFirmwareVersion(), callTime), 50)
  } catch (error) {
    if (error instanceof DeckFault) throw error
    return ''
  }
}

/** Closes a deck in any state. Resolves when the operating system has released it. */
export async function closeDeck(deck: AttachedDeck, { withLogo = false } = {}): Promise<void> {
  if (withLogo) await within(deck.resetToLogo(), logoTime).catch(() => {})
  await deck.close().catch(() => {})
}
