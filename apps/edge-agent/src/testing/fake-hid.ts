import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import { createDeckFaults, type DeckFaultName } from '@pult/testkit'
import type { DeckDriver } from '../deck-device.ts'

/** A deck at the level of its USB reports. */
export interface FakeHidDeck {
  path: string
  /** Bytes, or ASCII text. */
  serial: string | readonly number[]
  /** A Stream Deck MK.2 unless given. */
  productId?: number
  faults?: readonly DeckFaultName[]
}

/**
 * Replaces `node-hid` by decks of this test, and loads the real library on top of it. The decks answer with the reports
 * that Elgato documents.
 */
export function fakeHid() {
  const there = new Map<string, ReturnType<typeof createDevice>>()
  let listFault: 'no' | 'hangs' | 'throws' = 'no'
  let lists = 0
  const hid = {
    devicesAsync: async () => {
      lists += 1
      if (listFault === 'hangs') await new Promise(() => {})
      if (listFault === 'throws') throw new Error('No native build was found for platform=linux arch=riscv64')
      return [...there.values()].map(({ path, productId }) => ({
        vendorId: 0x0fd9,
        productId,
        path,
        interface: 0,
      }))
    },
    HIDAsync: {
      open: async (path: string) => {
        const device = there.get(path)
        if (device === undefined) throw new TypeError(`cannot open device with path ${path}`)
        return device.open()
      },
    },
  }
  return {
    driver: async (): Promise<DeckDriver> => driverOn(hid),
    plug(deck: FakeHidDeck) {
      const device = createDevice(deck)
      there.set(deck.path, device)
      return device
    },
    /** Removes a deck. Its pending calls fail, as those of the operating system do. */
    unplug(path: string): void {
      there.get(path)?.lose()
      there.delete(path)
    },
    failLists: (fault: typeof listFault): void => {
      listFault = fault
    },
    lists: () => lists,
  }
}

function createDevice({ path, serial, productId = 0x0080, faults: initial = [] }: FakeHidDeck) {
  const faults = createDeckFaults(initial)
  const bytes = typeof serial === 'string' ? [...Buffer.from(serial, 'latin1')] : [...serial]
  const handles = new Set<EventEmitter>()
  let opens = 0
  let pictures = 0
  const brightness: number[] = []
  let isThere = true
  const device = {
    path,
    productId,
    faults,
    brightness,
    opens: () => opens,
    /** Handles that are open now. */
    handles: () => handles.size,
    /** Complete pictures of keys that the deck has received. */
    pictures: () => pictures,
    /** Sends the state of 15 keys on each handle that was ever opened, even a closed one. */
    press(key: number): void {
      for (const down of [1, 0])
        for (const handle of all)
          handle.emit(
            'data',
            Buffer.from([1, 0, 15, 0, ...Array.from({ length: 15 }, (_, at) => (at === key ? down : 0))]),
          )
    },
    fail: (): void => {
      for (const handle of handles) handle.emit('error', new Error('could not read from HID device'))
    },
    lose(): void {
      isThere = false
      device.fail()
    },
    async open() {
      opens += 1
      await faults.meet('open')
      const handle = new EventEmitter()
      handles.add(handle)
      all.add(handle)
      const mustBeOpen = () => {
        if (!isThere || !handles.has(handle)) throw new Error('could not write to HID device')
      }
      return Object.assign(handle, {
        close: async () => {
          await faults.meet('close').finally(() => handles.delete(handle))
        },
        getDeviceInfo: async () => ({ path, vendorId: 0x0fd9, productId }),
        getFeatureReport: async (id: number, length: number) => {
          await faults.meet(id === 6 ? 'serial' : 'firmware')
          mustBeOpen()
          const report = Buffer.alloc(Math.max(length, 256))
          if (id === 6) report.set([id, bytes.length, ...bytes].slice(0, 256))
          else report.set([id, 9, 0, 0, 0, 0, ...Buffer.from('1.0.0')])
          return report
        },
        sendFeatureReport: async ([id, kind, value = 0]: Buffer) => {
          await faults.meet(kind === 8 ? 'brightness' : 'logo')
          mustBeOpen()
          if (id === 3 && kind === 8) brightness.push(value)
        },
        write: async (data: Buffer) => {
          await faults.meet('picture')
          mustBeOpen()
          if (data[1] === 7 && data[3] === 1) pictures += 1
        },
      })
    },
  }
  const all = new Set<EventEmitter>()
  return device
}

/** Loads the library with this `node-hid`. */
function driverOn(hid: object): DeckDriver {
  const require = createRequire(import.meta.url)
  const library = require.resolve('@elgato-stream-deck/node')
  const native = createRequire(library).resolve('node-hid')
  const known = require.cache[native]
  const folder = library.replace(/index\.js$/, '')
  for (const file of Object.keys(require.cache)) if (file.startsWith(folder)) delete require.cache[file]
  try {
    require.cache[native] = { exports: hid } as NodeJS.Module
    return require(library) as DeckDriver
  } finally {
    for (const file of Object.keys(require.cache)) if (file.startsWith(folder)) delete require.cache[file]
    if (known === undefined) delete require.cache[native]
    else require.cache[native] = known
  }
}
