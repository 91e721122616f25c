import { createRequire } from 'node:module'
import {
  type EdgeDeck,
  type EdgeReport,
  type EdgeServerMessage,
  edgeDecksMax,
  type FaultyDeck,
} from '@pult/contract'
import { writeLog } from './agent-log.ts'
import {
  type AttachedDeck,
  closeDeck,
  type DeckDriver,
  DeckFault,
  openDeck,
  readFacts,
  within,
} from './deck-device.ts'
import { type Mark, marked } from './deck-feedback.ts'
import { type Asked, createDeckKeys, type DeckKeys, type DeskPage } from './deck-keys.ts'
import { printable } from './report.ts'
import { clock } from './samples.ts'
import { reasonOf } from './state.ts'
import { installedAt } from './supervisor.ts'

type Shown = Extract<EdgeServerMessage, { type: 'deck' }>

/** A place at which a deck is plugged in, by its path. It exists until the operating system no longer lists it. */
interface Place {
  path: string
  /** As far as it is known before the deck is open. */
  model: string
  isGone: boolean
  fault: Pick<FaultyDeck, 'fault' | 'detail'> | null
  /** Failures since the deck was plugged in or last drawn on. The delay before the next attempt grows with them. */
  failures: number
  /** Time of the next attempt, by `performance.now()`. */
  nextAt: number
}

interface Attached {
  deck: AttachedDeck
  place: Place
  facts: EdgeDeck
  /** The numbers of the keys for the library, by place: from the top left, row by row. */
  indices: ReadonlyMap<number, number>
  /** Time of the last complete drawing. */
  drawnAt: number
  drawing: 'no' | 'yes' | 'again'
  /** Resolves when the last drawing has ended. */
  drawn: Promise<void>
}

/** Milliseconds between two checks for decks, for one call to a deck, and between two attempts to open it at most. */
const usualTimes = { check: 5000, call: 10_000, retryMost: 300_000 }

/**
 * Milliseconds after which a deck is drawn again: always, and when a key is pressed. A controller can lose its content
 * without a disconnect, which no call reports.
 */
const redrawAfter = { always: 300_000, press: 60_000 }
/** Milliseconds by which a check is late after a sleep of the machine. */
const sleepLeast = 10_000

/** The library is optional: an edge also works without USB or without a build of the library. */
async function loadDriver(): Promise<DeckDriver> {
  // A newer agent file in the state folder has no driver beside it, and loads that of the installation.
  const beside = process.env[installedAt]
  if (beside === undefined) return import('@elgato-stream-deck/node')
  return createRequire(beside)('@elgato-stream-deck/node') as DeckDriver
}

/**
 * Drives the Stream Decks attached to this machine. Each deck is opened, drawn and closed on its own, so that a faulty one
 * delays no other (decision record 211).
 */
export function createDecks(
  load: () => Promise<DeckDriver> = loadDriver,
  times = usualTimes,
  /** Time in milliseconds, which a sleep of the machine does not stop. */
  now: () => number = clock,
) {
  const places = new Map<string, Place>()
  /** Open decks by path. */
  const attached = new Map<string, Attached>()
  /** Calls that open or close the deck of a path. A path has one at a time, so that no handle is lost. */
  const busy = new Map<string, Promise<void>>()
  /** The last display command of each deck. It is repeated when the deck is attached again. */
  const desired = new Map<string, Shown>()
  /** The keys of each deck. They survive a disconnected deck and a lost connection to the server. */
  const keys = new Map<string, DeckKeys>()
  let ask: (asked: Asked) => Promise<boolean> = async () => false
  let driver: DeckDriver | undefined
  let listing: Promise<{ path: string; model?: string }[]> | undefined
  let state: Pick<EdgeReport['decks'], 'driver' | 'reason'> = { driver: 'missing', reason: null }
  let timer: NodeJS.Timeout | undefined
  let checkedAt = now()
  let isStopped = false

  /** Runs a call that opens or closes the deck of a path. Resolves at the end of the call, or after its time limit. */
  function occupy(path: string, work: () => Promise<void>): Promise<void> {
    const call = (busy.get(path) ?? Promise.resolve()).then(work).finally(() => {
      if (busy.get(path) === call) busy.delete(path)
    })
    busy.set(path, call)
    return within(call, times.call).catch(() => {})
  }

  function fail(place: Place, { fault, detail, model = place.model }: DeckFault): void {
    if (place.isGone) return
    if (place.fault?.fault !== fault)
      writeLog(
        `Stream Deck at ${place.path} cannot be used: ${fault}${detail === null ? '' : ` (${detail})`}`,
      )
    place.fault = { fault, detail }
    place.model = model
    place.failures += 1
    const delay = Math.min(times.check * 2 ** Math.min(place.failures, 10), times.retryMost)
    place.nextAt = performance.now() + delay
  }

  /** Opens the deck of a place. A call that hangs is reported, and its late result is still used or closed. */
  function open(place: Place, from: DeckDriver): Promise<void> {
    const late = setTimeout(() => {
      place.fault ??= { fault: 'silent', detail: null }
    }, times.call).unref()
    return occupy(place.path, async () => {
      let deck: AttachedDeck | undefined
      try {
        deck = await openDeck(from, place.path)
        const opened = deck
        // Without a listener, unplugging a deck would end the process.
        deck.on('error', (error) => lose(place, opened, error))
        const facts = await readFacts(deck, times.call)
        if (attachedOf(facts.serial) !== undefined)
          throw new DeckFault('same-serial', facts.serial, facts.model)
        if (isStopped || place.isGone) await closeDeck(deck)
        else await attach({ deck, place, facts })
      } catch (error) {
        fail(
          place,
          error instanceof DeckFault ? error : new DeckFault('broken', printable(reasonOf(error), 200)),
        )
        if (deck !== undefined) await closeDeck(deck)
      } finally {
        clearTimeout(late)
      }
    })
  }

  async function attach({ deck, place, facts }: Pick<Attached, 'deck' | 'place' | 'facts'>): Promise<void> {
    const buttons = deck.CONTROLS.filter((control) => control.type === 'button')
    const placeOf = ({ row, column }: { row: number; column: number }) => row * facts.columns + column
    const indices = new Map(buttons.map((button) => [placeOf(button), button.index]))
    const keysOfDeck = keysOf(facts.serial)
    const there: Attached = {
      deck,
      place,
      facts,
      indices,
      drawnAt: now(),
      drawing: 'no',
      drawn: Promise.resolve(),
    }
    const isAttached = () => attached.get(place.path) === there
    deck.on('down', (control) => {
      if (control.type !== 'button' || !isAttached()) return
      keysOfDeck.press(placeOf(control))
      if (now() - there.drawnAt >= redrawAfter.press) void redraw(there)
    })
    deck.on('up', (control) => {
      if (control.type === 'button' && isAttached()) keysOfDeck.release(placeOf(control))
    })
    place.fault = null
    attached.set(place.path, there)
    writeLog(`Stream Deck ${facts.model} ${facts.serial} is attached`)
    if (desired.has(facts.serial)) await draw(facts.serial)
  }

  function keysOf(serial: string): DeckKeys {
    const known = keys.get(serial)
    if (known !== undefined) return known
    const made = createDeckKeys({
      serial,
      ask: (asked) => ask(asked),
      draw: () => void draw(serial),
      mark: (key, mark) => void drawKey(serial, key, mark),
    })
    keys.set(serial, made)
    return made
  }

  const attachedOf = (serial: string) => [...attached.values()].find(({ facts }) => facts.serial === serial)

  const pictureOf = (serial: string) => keys.get(serial)?.picture() ?? desired.get(serial)?.picture ?? null

  /** Handles an error of a deck: it was unplugged, or it can no longer be read. */
  function lose(place: Place, deck: AttachedDeck, error: unknown): void {
    if (attached.get(place.path)?.deck !== deck) return
    void detach(place.path)
    place.nextAt = performance.now() + times.check
    // An unplugged deck leaves the list immediately, so that it is opened without delay when it is plugged in again.
    void check().then(() => fail(place, new DeckFault('broken', printable(reasonOf(error), 200))))
  }

  function detach(path: string, { withLogo = false } = {}): Promise<void> {
    const gone = attached.get(path)
    if (gone === undefined) return Promise.resolve()
    attached.delete(path)
    const { serial, model } = gone.facts
    keysOf(serial).unplug()
    // A deck with the same serial number can be used now.
    for (const place of places.values()) if (place.fault?.fault === 'same-serial') place.nextAt = 0
    writeLog(`Stream Deck ${model} ${serial} was disconnected`)
    return occupy(path, () => closeDeck(gone.deck, { withLogo }))
  }

  /** Opens new decks and closes those that are gone. Resolves when each deck has been tried. */
  async function check(): Promise<void> {
    if (driver === undefined || isStopped) return
    const from = driver
    try {
      // A list that hangs is not requested a second time.
      listing ??= from.listStreamDecks().finally(() => {
        listing = undefined
      })
      const found = new Map((await within(listing, times.call)).map((deck) => [deck.path, deck]))
      state = { driver: 'ready', reason: null }
      for (const place of places.values())
        if (!found.has(place.path)) {
          place.isGone = true
          places.delete(place.path)
          void detach(place.path)
        }
      const tried = [...found.values()].map(async ({ path, model = '' }): Promise<void> => {
        const place = places.get(path) ?? {
          path,
          model: printable(model, 100),
          isGone: false,
          fault: null,
          failures: 0,
          nextAt: 0,
        }
        places.set(path, place)
        const there = attached.get(path)
        if (there !== undefined) {
          if (there.facts.problem !== null) await draw(there.facts.serial)
        } else if (!isStopped && !busy.has(path) && performance.now() >= place.nextAt) {
          if (attached.size + busy.size < edgeDecksMax) await open(place, from)
          else place.fault = { fault: 'too-many', detail: null }
        }
      })
      await Promise.all(tried)
    } catch (error) {
      const reason = error instanceof DeckFault ? 'The list of decks does not arrive' : reasonOf(error)
      state = { driver: 'failed', reason: printable(reason, 300) }
    }
  }

  /** Draws the decks again that may have lost their content: after a sleep of the machine, and every few minutes. */
  function redrawOld(): void {
    const hasSlept = now() - checkedAt >= times.check + sleepLeast
    checkedAt = now()
    for (const there of attached.values())
      if (hasSlept || now() - there.drawnAt >= redrawAfter.always) void redraw(there)
  }

  /** Draws a deck with the marks of its pressed keys. A deck for which the server has no display keeps its logo. */
  async function redraw({ facts: { serial } }: Attached): Promise<void> {
    if (!desired.has(serial)) return
    await draw(serial)
    keysOf(serial).drawMarks()
  }

  /** Draws the brightness and the picture of a deck, and stores an error for the report. */
  async function draw(serial: string): Promise<void> {
    const there = attachedOf(serial)
    if (there === undefined) return
    // The content that is newest when the deck is ready.
    if (there.drawing !== 'no') there.drawing = 'again'
    else there.drawn = drawNewest(there)
    await there.drawn
  }

  async function drawNewest(there: Attached): Promise<void> {
    try {
      do {
        there.drawing = 'yes'
        await display(there, () => drawAll(there))
        // TypeScript does not see that another call changes it.
      } while ((there.drawing as Attached['drawing']) === 'again' && attached.get(there.place.path) === there)
    } finally {
      there.drawing = 'no'
    }
  }

  /** Runs calls that draw. A deck that does not respond is closed, and opened again later. */
  async function display(there: Attached, work: () => Promise<void>): Promise<void> {
    try {
      await work()
      there.facts.problem = null
      there.place.failures = 0
    } catch (error) {
      if (attached.get(there.place.path) !== there) return
      there.facts.problem = printable(reasonOf(error), 200)
      if (!(error instanceof DeckFault)) return
      void detach(there.place.path)
      fail(there.place, error)
    }
  }

  async function drawAll(there: Attached): Promise<void> {
    const { deck, facts } = there
    there.drawnAt = now()
    const shown = desired.get(facts.serial)
    let failed: { error: unknown } | undefined
    if (shown !== undefined)
      try {
        await within(deck.setBrightness(Math.round(shown.brightness * 100)), times.call)
      } catch (error) {
        if (error instanceof DeckFault) throw error
        // The picture can be shown nevertheless.
        failed = { error }
      }
    await within(drawPanel(there), times.call)
    if (failed !== undefined) throw failed.error
  }

  async function drawPanel({ deck, facts }: Attached): Promise<void> {
    const picture = pictureOf(facts.serial)
    if (picture === null) await deck.clearPanel()
    else if (picture.width !== facts.width || picture.height !== facts.height)
      throw new Error('The picture does not have the size of this deck')
    else await deck.fillPanelBuffer(Buffer.from(picture.rgb, 'base64'), { format: 'rgb' })
  }

  /** Draws the picture of one key, with a mark if it has one. A key without a display shows nothing. */
  async function drawKey(serial: string, key: number, mark: Mark | null): Promise<void> {
    const there = attachedOf(serial)
    if (there === undefined) return
    const { deck, facts, indices } = there
    const index = indices.get(key)
    const size = { width: facts.width / facts.columns, height: facts.height / facts.rows }
    if (index === undefined || size.width * size.height === 0) return
    await display(there, async () => {
      const pixels = cropped(pictureOf(serial), facts, key, size)
      const shown = mark === null ? pixels : marked(pixels, size, mark)
      await within(deck.fillKeyBuffer(index, shown, { format: 'rgb' }), times.call)
    })
  }

  return {
    async start(): Promise<void> {
      try {
        driver = await load()
      } catch (error) {
        state = {
          driver: 'missing',
          reason: printable(`The driver cannot be loaded: ${reasonOf(error)}`, 300),
        }
        writeLog('Stream Decks are not available: @elgato-stream-deck/node cannot be loaded')
        return
      }
      if (isStopped) return
      timer = setInterval(() => {
        redrawOld()
        void check()
      }, times.check).unref()
      await check()
      if (state.reason !== null) writeLog(`Stream Decks are not available: ${state.reason}`)
    },

    /** Closes all decks, including one that is being opened. A call that hangs delays it by the time of one call. */
    async stop(): Promise<void> {
      isStopped = true
      clearInterval(timer)
      for (const path of attached.keys()) void detach(path, { withLogo: true })
      await Promise.all([...busy.values()].map((call) => within(call, times.call).catch(() => {})))
    },

    show(shown: Shown): Promise<void> {
      desired.set(shown.serial, shown)
      return draw(shown.serial)
    },

    /** Stores a page of keys. */
    take: (page: DeskPage): void => keysOf(page.serial).take(page),

    /** Sets the function that sends presses to the server. */
    askWith(next: (asked: Asked) => Promise<boolean>): void {
      ask = next
    },

    report: (): EdgeReport['decks'] => ({
      ...state,
      devices: [...attached.values()].map(({ facts }) => facts),
      faulty: [...places.values()].flatMap(faultyOf).slice(0, edgeDecksMax),
    }),
  }
}
export type Decks = ReturnType<typeof createDecks>

const faultyOf = ({ path, model, fault }: Place): FaultyDeck[] =>
  fault === null ? [] : [{ path: printable(path, 200), model, ...fault }]

/** Returns the pixels of a key in the picture of a whole deck; black if the picture is missing or of another size. */
function cropped(
  picture: Shown['picture'],
  facts: Pick<EdgeDeck, 'width' | 'height' | 'columns'>,
  key: number,
  { width, height }: { width: number; height: number },
): Uint8Array {
  const pixels = new Uint8Array(width * height * 3)
  if (picture?.width !== facts.width || picture.height !== facts.height) return pixels
  const whole = Buffer.from(picture.rgb, 'base64')
  const [left, top] = [(key % facts.columns) * width, Math.floor(key / facts.columns) * height]
  for (let row = 0; row < height; row += 1) {
    const from = ((top + row) * facts.width + left) * 3
    pixels.set(whole.subarray(from, from + width * 3), row * width * 3)
  }
  return pixels
}
