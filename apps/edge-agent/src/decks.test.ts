import { expect, test } from 'vitest'
import { type AttachedDeck, createDecks, type DeckDriver } from './decks.ts'

/** A deck of three keys in a row, and what was done to it. */
function fakeDeck(serial: string) {
  const done: unknown[] = []
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
    fillPanelBuffer: async (pixels, options) => void done.push([pixels.length, options]),
    getFirmwareVersion: async () => '1.0',
    getSerialNumber: async () => serial,
    on: () => deck as never,
    setBrightness: async (percent) => void done.push(percent),
  }
  return { deck, done }
}

const driverOf = (decks: Record<string, AttachedDeck>): DeckDriver => ({
  listStreamDecks: async () => Object.keys(decks).map((path) => ({ path })),
  openStreamDeck: async (path) => decks[path] ?? Promise.reject(new Error('busy')),
})

const picture = { width: 6, height: 2, rgb: Buffer.alloc(36, 200).toString('base64') }

test('an attached deck is reported, and shows brightness and picture, or says why it does not', async () => {
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
  })
  await decks.show({ type: 'deck', serial: 'AL01', brightness: 0.42, picture })
  await decks.show({ type: 'deck', serial: 'AL01', brightness: 1, picture: null })
  expect(done).toEqual([42, [36, { format: 'rgb' }], 100, 'clear'])
  await decks.show({ type: 'deck', serial: 'AL01', brightness: 1, picture: { ...picture, width: 7 } })
  expect(decks.report().devices[0]?.problem).toBe('The picture is not of the size of this deck')
  await decks.stop()
  expect(done.at(-1)).toBe('close')
})

test('what a deck was told before it was attached it shows then', async () => {
  const { deck, done } = fakeDeck('AL02')
  const decks = createDecks(async () => driverOf({ '/dev/hidraw1': deck }))
  await decks.show({ type: 'deck', serial: 'AL02', brightness: 0.5, picture: null })
  await decks.start()
  expect(done).toEqual([50, 'clear'])
  await decks.stop()
})

test('without the library, and with a deck that cannot be opened, the report says so', async () => {
  const missing = createDecks(() => Promise.reject(new Error('Cannot find package')))
  await missing.start()
  expect(missing.report()).toEqual({
    driver: 'missing',
    reason: 'The driver cannot be loaded: Cannot find package',
    devices: [],
  })
  const busy = createDecks(async () => ({
    ...driverOf({}),
    listStreamDecks: async () => [{ path: '/dev/hidraw2' }],
  }))
  await busy.start()
  expect(busy.report()).toMatchObject({ driver: 'failed', reason: 'A deck cannot be opened: busy' })
  await busy.stop()
})
