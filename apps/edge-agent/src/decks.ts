import { createRequire } from 'node:module'
import type { StreamDeck } from '@elgato-stream-deck/node'
import type { EdgeDeck, EdgeReport, EdgeServerMessage } from '@pult/contract'
import { writeLog } from './agent-log.ts'
import { type Mark, marked } from './deck-feedback.ts'
import { type Asked, createDeckKeys, type DeckKeys, type DeskPage } from './deck-keys.ts'
import { printable } from './report.ts'
import { reasonOf } from './state.ts'
import { installedAt } from './supervisor.ts'

type Shown = Extract<EdgeServerMessage, { type: 'deck' }>

/** The part of the library that the agent uses. Tests provide their own decks through it. */
export interface DeckDriver {
  listStreamDecks: () => Promise<{ path: string }[]>
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
  | 'setBrightness'
>

interface Attached {
  deck: AttachedDeck
  path: string
  facts: EdgeDeck
  /** The numbers of the keys for the library, by place: from the top left, row by row. */
  indices: ReadonlyMap<number, number>
}

const checkEvery = 5000

/** The library is optional: an edge also works without USB or without a build of the library. */
async function loadDriver(): Promise<DeckDriver> {
  // A newer agent file in the state folder has no driver beside it, and loads that of the installation.
  const beside = process.env[installedAt]
  if (beside === undefined) return import('@elgato-stream-deck/node')
  return createRequire(beside)('@elgato-stream-deck/node') as DeckDriver
}

/** Drives the Stream Decks attached to this machine. */
export function createDecks(load: () => Promise<DeckDriver> = loadDriver) {
  const attached = new Map<string, Attached>()
  /** The last display command of each deck. It is repeated when the deck is attached again. */
  const desired = new Map<string, Shown>()
  /** The keys of each deck. They survive a disconnected deck and a lost connection to the server. */
  const keys = new Map<string, DeckKeys>()
  let ask: (asked: Asked) => Promise<boolean> = async () => false
  let driver: DeckDriver | undefined
  let state: Pick<EdgeReport['decks'], 'driver' | 'reason'> = { driver: 'missing', reason: null }
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function open(path: string): Promise<void> {
    const deck = await (driver as DeckDriver).openStreamDeck(path, { resetToLogoOnClose: true })
    // Without a listener, unplugging a deck would end the process.
    deck.on('error', () => void detach(path))
    const buttons = deck.CONTROLS.filter((control) => control.type === 'button')
    const panel = deck.calculateFillPanelDimensions()
    const facts = {
      serial: (await deck.getSerialNumber()).replace(/[^\w-]/g, '').slice(0, 64),
      model: printable(deck.PRODUCT_NAME, 100),
      firmware: printable(await deck.getFirmwareVersion(), 50),
      columns: Math.max(1, ...buttons.map(({ column }) => column + 1)),
      rows: Math.max(1, ...buttons.map(({ row }) => row + 1)),
      width: panel?.width ?? 0,
      height: panel?.height ?? 0,
      problem: null,
    }
    const placeOf = ({ row, column }: { row: number; column: number }) => row * facts.columns + column
    const indices = new Map(buttons.map((button) => [placeOf(button), button.index]))
    const keysOfDeck = keysOf(facts.serial)
    deck.on('down', (control) => {
      if (control.type === 'button') keysOfDeck.press(placeOf(control))
    })
    deck.on('up', (control) => {
      if (control.type === 'button') keysOfDeck.release(placeOf(control))
    })
    attached.set(path, { deck, path, facts, indices })
    writeLog(`Stream Deck ${facts.model} ${facts.serial} is attached`)
    const shown = desired.get(facts.serial)
    if (shown !== undefined) await show(shown)
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

  async function detach(path: string): Promise<void> {
    const gone = attached.get(path)
    if (gone === undefined) return
    attached.delete(path)
    keysOf(gone.facts.serial).unplug()
    writeLog(`Stream Deck ${gone.facts.model} ${gone.facts.serial} was disconnected`)
    await gone.deck.close().catch(() => {})
  }

  async function check(): Promise<void> {
    if (driver === undefined) return
    try {
      const there = new Set((await driver.listStreamDecks()).map(({ path }) => path))
      for (const path of attached.keys()) if (!there.has(path)) await detach(path)
      state = { driver: 'ready', reason: null }
      for (const path of there)
        if (!attached.has(path))
          await open(path).catch((error: unknown) => {
            state = {
              driver: 'failed',
              reason: printable(`A deck cannot be opened: ${reasonOf(error)}`, 300),
            }
          })
    } catch (error) {
      state = { driver: 'failed', reason: printable(reasonOf(error), 300) }
    }
  }

  async function checkRegularly(): Promise<void> {
    await check()
    if (!isStopped) timer = setTimeout(() => void checkRegularly(), checkEvery).unref()
  }

  /** Runs a display command and stores its error for the report. */
  async function display(
    there: Attached | undefined,
    work: (there: Attached) => Promise<void>,
  ): Promise<void> {
    if (there === undefined) return
    try {
      await work(there)
      there.facts.problem = null
    } catch (error) {
      there.facts.problem = printable(reasonOf(error), 200)
    }
  }

  const show = (shown: Shown): Promise<void> => {
    desired.set(shown.serial, shown)
    return display(attachedOf(shown.serial), async (there) => {
      await there.deck.setBrightness(Math.round(shown.brightness * 100))
      await drawPanel(there)
    })
  }

  const draw = (serial: string): Promise<void> => display(attachedOf(serial), drawPanel)

  async function drawPanel({ deck, facts }: Attached): Promise<void> {
    const picture = pictureOf(facts.serial)
    if (picture === null) await deck.clearPanel()
    else if (picture.width !== facts.width || picture.height !== facts.height)
      throw new Error('The picture does not have the size of this deck')
    else await deck.fillPanelBuffer(Buffer.from(picture.rgb, 'base64'), { format: 'rgb' })
  }

  /** Draws the picture of one key, with a mark if it has one. A key without a display shows nothing. */
  const drawKey = (serial: string, key: number, mark: Mark | null): Promise<void> =>
    display(attachedOf(serial), async ({ deck, facts, indices }) => {
      const index = indices.get(key)
      const size = { width: facts.width / facts.columns, height: facts.height / facts.rows }
      if (index === undefined || size.width * size.height === 0) return
      const pixels = cropped(pictureOf(serial), facts, key, size)
      await deck.fillKeyBuffer(index, mark === null ? pixels : marked(pixels, size, mark), { format: 'rgb' })
    })

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
      await checkRegularly()
    },

    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      for (const path of attached.keys()) await detach(path)
    },

    show,

    /** Stores a page of keys. */
    take: (page: DeskPage): void => keysOf(page.serial).take(page),

    /** Sets the function that sends presses to the server. */
    askWith(next: (asked: Asked) => Promise<boolean>): void {
      ask = next
    },

    report: (): EdgeReport['decks'] => ({
      ...state,
      devices: [...attached.values()].slice(0, 16).map(({ facts }) => facts),
    }),
  }
}
export type Decks = ReturnType<typeof createDecks>

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
