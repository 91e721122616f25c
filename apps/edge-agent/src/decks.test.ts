import { expect, onTestFinished, test, vi } from 'vitest'
import type { AttachedDeck, DeckDriver } from './deck-device.ts'
import type { Asked, DeskPage } from './deck-keys.ts'
import { createDecks } from './decks.ts'

/** A deck with three keys in a row that records the calls made to it. */
function fakeDeck(serial: string) {
  const done: unknown[] = []
  const listeners = new Map<string, (value: never) => void>()
  const deck: AttachedDeck = {
    CONTROLS: [0, 1, 2].map((column) => ({
      type: 'button',
      row: 0,
      column,
      index: column,
      hidIndex: column,
      feedbackType: 'none',
    })),
    PRODUCT_NAME: 'Stream Deck Test',
    calculateFillPanelDimensions: () => ({ width: 6, height: 2 }),
    clearPanel: async () => void done.push('clear'),
    close: async () => void done.push('close'),
    fillKeyBuffer: async (index, pixels) => void done.push(['key', index, shownOn(pixels)]),
    fillPanelBuffer: async (pixels, options) => void done.push([pixels.length, options]),
    getFirmwareVersion: async () => '1.0',
    getSerialNumber: async () => serial,
    on: (event, listener) => {
      listeners.set(event, listener as unknown as (value: never) => void)
      return deck as never
    },
    resetToLogo: async () => void done.push('logo'),
    setBrightness: async (percent) => void done.push(percent),
  }
  const emit = (event: string, value: unknown) => listeners.get(event)?.(value as never)
  const move = (event: 'down' | 'up', key: number) => emit(event, deck.CONTROLS[key])
  return { deck, done, emit, down: (key: number) => move('down', key), up: (key: number) => move('up', key) }
}

/** Returns the mark of a key by the colour of its frame, or the shade of its picture. */
function shownOn([red = 0, green = 0, blue = 0]: ArrayLike<number> & Iterable<number>): unknown {
  if (red === green && green === blue) return red
  return red > 200 ? (green > 150 ? 'busy' : 'refused') : 'done'
}

const page = (number: number, keys: DeskPage['keys'], more: Partial<DeskPage> = {}): DeskPage => ({
  type: 'desk',
  serial: 'AL01',
  page: number,
  pages: 2,
  picture: null,
  keys,
  ...more,
})
const key = (at: number, press: 'ask' | { page: number } | null, hold: 'ask' | null = null) => ({
  key: at,
  press,
  hold,
})

/** An attached deck with two pages, whose presses a test answers. */
async function pressable(now?: () => number) {
  const withKeys = [key(0, 'ask'), key(1, { page: 1 }), key(2, 'ask', 'ask')]
  const fake = fakeDeck('AL01')
  const there: Record<string, AttachedDeck> = { '/dev/hidraw0': fake.deck }
  const decks = createDecks(async () => driverOf(there), undefined, now)
  onTestFinished(() => decks.stop())
  const asked: (Asked & { answer: (isDone: boolean) => void })[] = []
  decks.askWith((one) => new Promise((answer) => void asked.push({ ...one, answer })))
  await decks.start()
  decks.take(page(0, withKeys))
  decks.take(page(1, [key(0, { page: 0 })], { picture }))
  fake.done.length = 0
  return { ...fake, decks, asked }
}

const driverOf = (decks: Record<string, AttachedDeck>): DeckDriver => ({
  listStreamDecks: async () => Object.keys(decks).map((path) => ({ path })),
  openStreamDeck: async (path) => decks[path] ?? Promise.reject(new Error('busy')),
})

const picture = { width: 6, height: 2, rgb: Buffer.alloc(36, 200).toString('base64') }

test('an attached deck is reported and shows brightness and picture, or the report has the error', async () => {
  const { deck, done } = fakeDeck('AL01')
  const decks = createDecks(async () => driverOf({ '/dev/hidraw0': deck }))
  await decks.start()
  expect(decks.report()).toEqual({
    driver: 'ready',
    reason: null,
    devices: [
      {
        serial: 'AL01',
        model: 'Stream Deck Test',
        firmware: '1.0',
        columns: 3,
        rows: 1,
        width: 6,
        height: 2,
        problem: null,
      },
    ],
    faulty: [],
  })
  await decks.show({ type: 'deck', serial: 'AL01', brightness: 0.42, picture })
  await decks.show({ type: 'deck', serial: 'AL01', brightness: 1, picture: null })
  expect(done).toEqual([42, [36, { format: 'rgb' }], 100, 'clear'])
  await decks.show({ type: 'deck', serial: 'AL01', brightness: 1, picture: { ...picture, width: 7 } })
  expect(decks.report().devices[0]?.problem).toBe('The picture does not have the size of this deck')
  await decks.stop()
  expect(done.at(-1)).toBe('close')
})

test('a deck shows display commands that arrived before it was attached', async () => {
  const { deck, done } = fakeDeck('AL02')
  const decks = createDecks(async () => driverOf({ '/dev/hidraw1': deck }))
  await decks.show({ type: 'deck', serial: 'AL02', brightness: 0.5, picture: null })
  await decks.start()
  expect(done).toEqual([50, 'clear'])
  await decks.stop()
})

test('the report names a missing library and a deck that cannot be opened', async () => {
  const missing = createDecks(() => Promise.reject(new Error('Cannot find package')))
  await missing.start()
  expect(missing.report()).toEqual({
    driver: 'missing',
    reason: 'The driver cannot be loaded: Cannot find package',
    devices: [],
    faulty: [],
  })
  const busy = createDecks(async () => ({
    ...driverOf({}),
    listStreamDecks: async () => [{ path: '/dev/hidraw2' }],
  }))
  await busy.start()
  const faulty = [{ path: '/dev/hidraw2', model: '', fault: 'busy', detail: 'busy' }]
  expect(busy.report()).toEqual({ driver: 'ready', reason: null, devices: [], faulty })
  await busy.stop()
})

test('a pressed key shows progress immediately, then its outcome, and then its picture', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { down, done, asked } = await pressable()
  down(0)
  expect(asked).toMatchObject([{ serial: 'AL01', page: 0, key: 0, isHeld: false }])
  expect(done).toEqual([['key', 0, 'busy']])
  // A second press while the server works does nothing.
  down(0)
  expect(asked).toHaveLength(1)
  asked[0]?.answer(true)
  await vi.waitFor(() => expect(done.at(-1)).toEqual(['key', 0, 'done']), 30_000)
  await vi.advanceTimersByTimeAsync(1000)
  expect(done.at(-1)).toEqual(['key', 0, 0])
  down(0)
  asked[1]?.answer(false)
  await vi.waitFor(() => expect(done.at(-1)).toEqual(['key', 0, 'refused']), 30_000)
})

test('pages change without the server, and an outcome for another page is not drawn', async () => {
  const { down, done, asked } = await pressable()
  down(0)
  down(1)
  await vi.waitFor(() => expect(done.at(-1)).toEqual([36, { format: 'rgb' }]), 30_000)
  asked[0]?.answer(true)
  await new Promise((resolve) => setImmediate(resolve))
  expect(done).toEqual([
    ['key', 0, 'busy'],
    [36, { format: 'rgb' }],
  ])
  down(0)
  await vi.waitFor(() => expect(done.at(-1)).toBe('clear'), 30_000)
  expect(asked).toHaveLength(1)
})

test('a key with a hold action acts when it is released, or when it has been held', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { down, up, asked } = await pressable()
  down(2)
  expect(asked).toEqual([])
  up(2)
  expect(asked).toMatchObject([{ key: 2, isHeld: false }])
  asked[0]?.answer(true)
  await vi.advanceTimersByTimeAsync(1000)
  down(2)
  await vi.advanceTimersByTimeAsync(500)
  expect(asked).toMatchObject([{ isHeld: false }, { key: 2, isHeld: true }])
  up(2)
  expect(asked).toHaveLength(2)
})

test('a deck that is unplugged while a key is down does nothing, and drops a late answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { down, emit, done, asked, decks } = await pressable()
  down(0)
  down(2)
  emit('error', new Error('unplugged'))
  await vi.advanceTimersByTimeAsync(500)
  expect(asked).toMatchObject([{ key: 0 }])
  asked[0]?.answer(true)
  await vi.advanceTimersByTimeAsync(0)
  expect(decks.report().devices).toEqual([])
  expect(done).toEqual([['key', 0, 'busy'], 'close'])
})

test('timothycrosley/streamdeck-ui#242 a deck is drawn again after a sleep of the machine, and every five minutes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  let time = 0
  const { done, decks } = await pressable(() => time)
  /** The time that passes until the next check, which a sleep makes late. */
  const pass = async (milliseconds: number) => {
    time += milliseconds
    await vi.advanceTimersByTimeAsync(5000)
  }
  // A deck for which the server has no display keeps its logo.
  await pass(60_000)
  expect(done).toEqual([])
  await decks.show({ type: 'deck', serial: 'AL01', brightness: 0.5, picture })
  const drawn = [50, [36, { format: 'rgb' }]]
  expect(done.splice(0)).toEqual(drawn)
  await pass(10_000)
  expect(done).toEqual([])
  await pass(15_000)
  expect(done.splice(0)).toEqual(drawn)
  for (let passed = 5000; passed < 300_000; passed += 5000) await pass(5000)
  expect(done).toEqual([])
  await pass(5000)
  expect(done).toEqual(drawn)
})

test('timothycrosley/streamdeck-ui#242 a press a minute after the last drawing draws the deck again, with its marks', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let time = 0
  const { done, decks, down, asked } = await pressable(() => time)
  await decks.show({ type: 'deck', serial: 'AL01', brightness: 0.5, picture: null })
  done.length = 0
  time += 59_000
  down(0)
  await vi.waitFor(() => expect(done).toEqual([['key', 0, 'busy']]), 30_000)
  time += 1000
  down(2)
  await vi.waitFor(() => expect(done.slice(1)).toEqual([50, 'clear', ['key', 0, 'busy']]), 30_000)
  asked[0]?.answer(true)
  await vi.waitFor(() => expect(done.at(-1)).toEqual(['key', 0, 'done']), 30_000)
  time += 60_000
  down(2)
  await vi.waitFor(() => expect(done.slice(5)).toEqual([50, 'clear', ['key', 0, 'done']]), 30_000)
  // The mark belongs to a key of another page.
  down(1)
  await vi.waitFor(() => expect(done.slice(8)).toEqual([50, [36, { format: 'rgb' }]]), 30_000)
  time += 60_000
  down(2)
  await vi.waitFor(() => expect(done.slice(10)).toEqual([50, [36, { format: 'rgb' }]]), 30_000)
})
