import type { Page } from '@playwright/test'
import { createDeckFaults, type DeckFaultName } from '@pult/testkit'

/** A deck of the second generation, as Elgato documents its reports. */
export interface FakeDeck {
  /** Identifies the deck in the test; its serial number unless given. */
  id?: string
  serial: string
  firmware: string
  productId: number
  /** Keys with a screen. */
  keys: number
  /** The user has already allowed the page to use it. */
  isAllowed: boolean
  faults?: readonly DeckFaultName[]
}

/** The data that a deck has received since the last query. */
export interface Written {
  /** Percentages, in order. */
  brightness: number[]
  /** Feature reports in order, each with its report id first. */
  features: number[][]
  /**
   * Each picture: its key, the lengths of its pages including the report id, and whether only the last page is marked
   * as last.
   */
  pictures: { key: number; pages: number[]; isWhole: boolean }[]
}

/** The mean colours of the quarters of a key's picture and its size, as seen by the user. */
export interface SeenKey {
  width: number
  height: number
  /** Top left, top right, bottom left, bottom right. */
  quarters: [number, number, number][]
}

/** Adds decks to the browser that use the real reports, byte for byte. Call it before the page opens. */
export async function plugDecks(page: Page, decks: readonly FakeDeck[]) {
  // The page receives both functions as text.
  const content = `(${install.toString()})(${JSON.stringify(decks)}, ${createDeckFaults.toString()})`
  await page.addInitScript({ content })
  const of = <Result>(serial: string, what: string, ...more: unknown[]) =>
    page.evaluate(
      ([name, method, input]) => {
        const { fakeDecks } = window as unknown as {
          fakeDecks: Record<string, Record<string, (...all: unknown[]) => Result>>
        }
        const call = fakeDecks[name]?.[method]
        if (call === undefined) throw new Error(`${name} has no method ${method}`)
        return call(...input)
      },
      [serial, what, more] as const,
    )
  return {
    written: (serial: string) => of<Written>(serial, 'written'),
    see: (serial: string, key: number) => of<SeenKey | null>(serial, 'see', key),
    isOpen: (serial: string) => of<boolean>(serial, 'isOpen'),
    /** Presses and releases a key. */
    press: (serial: string, key: number) => of<void>(serial, 'press', key),
    /** Replaces the faults of a deck. */
    fail: (serial: string, ...faults: DeckFaultName[]) => of<void>(serial, 'fail', ...faults),
    /** Number of listeners that the page has attached to the device. */
    listeners: (serial: string) => of<number>(serial, 'listeners'),
    unplug: (serial: string) => of<void>(serial, 'unplug'),
    plug: (serial: string) => of<void>(serial, 'plug'),
  }
}

/** Runs in the page before its scripts. */
function install(decks: readonly FakeDeck[], withFaults: typeof createDeckFaults): void {
  const hid = new EventTarget() as EventTarget & Record<string, unknown>
  const there = new Map<string, { device: object; isAllowed: boolean; isPlugged: boolean }>()
  const controls: Record<string, object> = {}

  for (const { id: given, serial, firmware, productId, keys, isAllowed, faults: initial } of decks) {
    const id = given ?? serial
    const faults = withFaults(initial)
    let listeners = 0
    class Device extends EventTarget {
      override addEventListener(
        type: string,
        listener: EventListener,
        options?: AddEventListenerOptions,
      ): void {
        listeners += 1
        options?.signal?.addEventListener('abort', () => {
          listeners -= 1
        })
        super.addEventListener(type, listener, options)
      }
    }
    const device = new Device() as unknown as EventTarget & Record<string, unknown>
    const entry = { device, isAllowed, isPlugged: true }
    there.set(id, entry)
    let isOpen = false
    let brightness: number[] = []
    let features: number[][] = []
    let pictures: Written['pictures'] = []
    const parts = new Map<number, { bytes: number[]; pages: number[]; isWhole: boolean }>()
    const jpegs = new Map<number, Uint8Array<ArrayBuffer>>()
    const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0))
    const report = (bytes: number[]) => {
      const view = new DataView(new ArrayBuffer(32))
      bytes.forEach((byte, at) => view.setUint8(at, byte))
      return view
    }
    const bytesOf = (data: BufferSource) =>
      data instanceof ArrayBuffer
        ? new Uint8Array(data)
        : new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    const mustBeOpen = () => {
      if (!isOpen || !entry.isPlugged)
        throw new DOMException('The device must be opened first.', 'InvalidStateError')
    }

    Object.assign(device, {
      vendorId: 0x0fd9,
      productId,
      productName: 'Stream Deck',
      collections: [{ featureReports: [{ reportId: 3, items: [{ reportSize: 8, reportCount: 31 }] }] }],
      open: async () => {
        await faults.meet('open')
        if (!entry.isPlugged) throw new DOMException('Failed to open the device.', 'NotAllowedError')
        isOpen = true
      },
      close: async () => {
        await faults.meet('close')
        isOpen = false
      },
      forget: async () => {
        isOpen = false
        entry.isAllowed = false
      },
      receiveFeatureReport: async (reportId: number) => {
        await faults.meet(reportId === 0x06 ? 'serial' : 'firmware')
        mustBeOpen()
        if (reportId === 0x06) return report([0x06, serial.length, ...ascii(serial)])
        if (reportId === 0x05) return report([0x05, firmware.length + 4, 0, 0, 0, 0, ...ascii(firmware)])
        throw new DOMException(`Unknown feature report ${reportId}`, 'NotAllowedError')
      },
      sendFeatureReport: async (reportId: number, data: BufferSource) => {
        const bytes = bytesOf(data)
        await faults.meet(bytes[0] === 0x08 ? 'brightness' : 'logo')
        mustBeOpen()
        features.push([reportId, ...bytes])
        if (reportId === 0x03 && bytes[0] === 0x08) brightness.push(bytes[1] ?? -1)
      },
      sendReport: async (reportId: number, data: BufferSource) => {
        await faults.meet('picture')
        mustBeOpen()
        const bytes = bytesOf(data)
        if (reportId !== 0x02 || bytes[0] !== 0x07)
          throw new DOMException('Unknown report', 'NotAllowedError')
        const [, key = 0, last] = bytes
        const length = (bytes[3] ?? 0) + 256 * (bytes[4] ?? 0)
        const number = (bytes[5] ?? 0) + 256 * (bytes[6] ?? 0)
        const part = number === 0 ? { bytes: [], pages: [], isWhole: true } : parts.get(key)
        if (part === undefined) throw new DOMException('A page without its first', 'NotAllowedError')
        parts.set(key, part)
        if (number !== part.pages.length) part.isWhole = false
        part.pages.push(bytes.length + 1)
        part.bytes.push(...bytes.subarray(7, 7 + length))
        if (last !== 1) return
        jpegs.set(key, new Uint8Array(part.bytes))
        pictures.push({ key, pages: part.pages, isWhole: part.isWhole })
        parts.delete(key)
      },
    })

    const sendKeyStates = (states: number[]) => {
      const data = new DataView(new Uint8Array([0, keys, 0, ...states]).buffer)
      device.dispatchEvent(Object.assign(new Event('inputreport'), { reportId: 0x01, data, device }))
    }
    const happen = (name: string) => hid.dispatchEvent(Object.assign(new Event(name), { device }))
    controls[id] = {
      written: () => {
        const all = { brightness, features, pictures }
        brightness = []
        features = []
        pictures = []
        return all
      },
      see: async (key: number) => {
        const jpeg = jpegs.get(key)
        if (jpeg === undefined) return null
        const image = await createImageBitmap(new Blob([jpeg], { type: 'image/jpeg' }))
        const canvas = new OffscreenCanvas(image.width, image.height)
        const context = canvas.getContext('2d')
        if (context === null) return null
        // The screens are mounted upside down.
        context.translate(image.width, image.height)
        context.rotate(Math.PI)
        context.drawImage(image, 0, 0)
        const [w, h] = [image.width / 2, image.height / 2]
        const mean = (x: number, y: number) => {
          const { data } = context.getImageData(x + w / 4, y + h / 4, w / 2, h / 2)
          const sums = [0, 0, 0]
          for (let at = 0; at < data.length; at += 4)
            for (const channel of [0, 1, 2]) sums[channel] = (sums[channel] ?? 0) + (data[at + channel] ?? 0)
          return sums.map((sum) => Math.round(sum / (data.length / 4)))
        }
        return {
          width: image.width,
          height: image.height,
          quarters: [mean(0, 0), mean(w, 0), mean(0, h), mean(w, h)],
        }
      },
      isOpen: () => isOpen,
      listeners: () => listeners,
      fail: (...next: unknown[]) => faults.set(next as DeckFaultName[]),
      press: (key: number) => {
        sendKeyStates(Array.from({ length: keys }, (_, index) => (index === key ? 1 : 0)))
        sendKeyStates(Array.from({ length: keys }, () => 0))
      },
      unplug: () => {
        isOpen = false
        entry.isPlugged = false
        happen('disconnect')
      },
      plug: () => {
        entry.isPlugged = true
        if (entry.isAllowed) happen('connect')
      },
    }
  }

  Object.assign(hid, {
    getDevices: async () =>
      [...there.values()].flatMap(({ device, isAllowed, isPlugged }) =>
        isAllowed && isPlugged ? [device] : [],
      ),
    requestDevice: async () => {
      const chosen = [...there.values()].filter(({ isPlugged }) => isPlugged)
      for (const one of chosen) one.isAllowed = true
      return chosen.map(({ device }) => device)
    },
  })
  Object.defineProperty(navigator, 'hid', { value: hid })
  Object.assign(window, { fakeDecks: controls })
}
