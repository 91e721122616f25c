import type { StreamDeck } from '@elgato-stream-deck/node'
import type { EdgeDeck, EdgeReport, EdgeServerMessage } from '@pult/contract'
import { printable } from './report.ts'
import { say } from './say.ts'
import { reasonOf } from './state.ts'

type Shown = Extract<EdgeServerMessage, { type: 'deck' }>

/** What of the library is used, so that tests can bring decks of their own. */
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
}

const lookEvery = 5000

/** The library is optional: a machine without USB, or for which there is no build of it, is an edge all the same. */
const loadDriver = (): Promise<DeckDriver> => import('@elgato-stream-deck/node')

/** The Stream Decks that are attached to this machine: what they are, and what they show. */
export function createDecks(load: () => Promise<DeckDriver> = loadDriver) {
  const attached = new Map<string, Attached>()
  /** What each was last told to show, for when it comes back. */
  const wanted = new Map<string, Shown>()
  let driver: DeckDriver | undefined
  let state: Pick<EdgeReport['decks'], 'driver' | 'reason'> = { driver: 'missing', reason: null }
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function open(path: string): Promise<void> {
    const deck = await (driver as DeckDriver).openStreamDeck(path, { resetToLogoOnClose: true })
    // Without a listener a deck that is pulled out would end the process.
    deck.on('error', () => void forget(path))
    const buttons = deck.CONTROLS.filter(({ type }) => type === 'button')
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
    attached.set(path, { deck, path, facts })
    say(`Stream Deck ${facts.model} ${facts.serial} is attached`)
    const shown = wanted.get(facts.serial)
    if (shown !== undefined) await show(shown)
  }

  async function forget(path: string): Promise<void> {
    const gone = attached.get(path)
    if (gone === undefined) return
    attached.delete(path)
    say(`Stream Deck ${gone.facts.model} ${gone.facts.serial} is gone`)
    await gone.deck.close().catch(() => {})
  }

  async function look(): Promise<void> {
    if (driver === undefined) return
    try {
      const there = new Set((await driver.listStreamDecks()).map(({ path }) => path))
      for (const path of attached.keys()) if (!there.has(path)) await forget(path)
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

  async function lookRegularly(): Promise<void> {
    await look()
    if (!isStopped) timer = setTimeout(() => void lookRegularly(), lookEvery).unref()
  }

  async function show(shown: Shown): Promise<void> {
    wanted.set(shown.serial, shown)
    const there = [...attached.values()].find(({ facts }) => facts.serial === shown.serial)
    if (there === undefined) return
    const { deck, facts } = there
    try {
      await deck.setBrightness(Math.round(shown.brightness * 100))
      const { picture } = shown
      if (picture === null) await deck.clearPanel()
      else if (picture.width !== facts.width || picture.height !== facts.height)
        throw new Error('The picture is not of the size of this deck')
      else await deck.fillPanelBuffer(Buffer.from(picture.rgb, 'base64'), { format: 'rgb' })
      facts.problem = null
    } catch (error) {
      facts.problem = printable(reasonOf(error), 200)
    }
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
        say('Stream Decks are not driven: @elgato-stream-deck/node cannot be loaded')
        return
      }
      await lookRegularly()
    },

    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      for (const path of attached.keys()) await forget(path)
    },

    show,

    report: (): EdgeReport['decks'] => ({
      ...state,
      devices: [...attached.values()].slice(0, 16).map(({ facts }) => facts),
    }),
  }
}
export type Decks = ReturnType<typeof createDecks>
