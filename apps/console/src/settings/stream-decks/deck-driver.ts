/// <reference types="w3c-web-hid" />
import { openDevice, type StreamDeckWeb } from '@elgato-stream-deck/webhid'
import { usableSerial } from '@pult/contract'
import { type DeckModel, keyRect, modelOf, screenKeys, stripRect } from './deck-models.ts'
import { contextOf, drawPanel, type ShownKeys, type Wallpaper } from './deck-picture.ts'

/** The content of a deck. */
export interface DeckContent {
  /** From 0 to 1. */
  brightness: number
  wallpaper: Wallpaper
  keys: ShownKeys
}

/** An open deck. */
export interface DrivenDeck {
  device: HIDDevice
  /** Null if the deck reports none that settings can be stored under. */
  serial: string | null
  /** Empty if it cannot be read. */
  firmware: string
  model: DeckModel
  /** Draws the content. If it changes faster than the deck can draw, intermediate contents are skipped. */
  show: (content: DeckContent) => void
  /** Forgets what the deck shows, so that the next content is written completely. */
  forget: () => void
  /** Flashes the deck to identify it. The next content is written completely. */
  flash: () => Promise<void>
  close: () => Promise<void>
}

interface Listeners {
  /** Called with the index of a pressed key. */
  onKey: (index: number) => void
  onFailure: (error: unknown) => void
}

/** Milliseconds. A deck needs about 10 ms for a picture, so writes are throttled. */
const pause = 40
const flashes = 3
const flashTime = 180
/** Milliseconds for one call to a deck. */
const callTime = 8000

/** The deck did not respond in time. Its call cannot be cancelled. */
export class SilentDeck extends Error {}

/** Opens a deck that the user has allowed this page to use. Throws `SilentDeck` if it does not respond. */
export async function openDeck(device: HIDDevice, { onKey, onFailure }: Listeners): Promise<DrivenDeck> {
  const listening = new AbortController()
  const deck = await openWithin(device, listening)
  const { serial, firmware } = await identityOf(deck).catch(async (error: unknown) => {
    await release(deck, listening)
    throw error
  })
  const model = modelOf({ id: deck.MODEL, name: deck.PRODUCT_NAME }, deck.CONTROLS)
  const firstDial = screenKeys(model) + model.touchKeys
  deck.on('down', (control) => {
    if (control.type === 'button') onKey(control.index)
    else if (control.type === 'encoder') onKey(firstDial + control.index)
  })
  deck.on('error', onFailure)

  let pending: DeckContent | null = null
  let isWriting = false
  let isFlashing = false
  let isClosed = false
  let shownBrightness: number | null = null
  /** The content of each key, so that only changed keys are written. */
  const shown = new Map<number | 'strip', Uint8ClampedArray>()

  async function writeAll(): Promise<void> {
    if (isWriting || isFlashing) return
    isWriting = true
    try {
      for (let content = next(); content !== null; content = next()) {
        await write(content)
        await delay(pause)
      }
    } catch (error) {
      forget()
      if (!isClosed) onFailure(error)
    } finally {
      isWriting = false
    }
  }

  function forget(): void {
    shown.clear()
    shownBrightness = null
  }

  /** Returns the content to draw; null while the deck is disconnected or flashing. */
  function next(): DeckContent | null {
    if (isClosed || isFlashing) return null
    const content = pending
    pending = null
    return content
  }

  async function write(content: DeckContent): Promise<void> {
    const percent = Math.round(content.brightness * 100)
    if (percent !== shownBrightness) {
      await within(deck.setBrightness(percent))
      shownBrightness = percent
    }
    const panel = contextOf(drawPanel(model, content.wallpaper, content.keys))
    for (let index = 0; index < screenKeys(model); index += 1) {
      // Newer content is pending. Parts that are equal in both have been written already.
      if (pending !== null || isClosed || isFlashing) return
      const { x, y, width, height } = keyRect(model, index)
      await writeChanged(index, panel.getImageData(x, y, width, height).data, (pixels) =>
        deck.fillKeyBuffer(index, pixels, { format: 'rgba' }),
      )
    }
    await writeStrip(panel.canvas)
  }

  async function writeStrip(panel: HTMLCanvasElement): Promise<void> {
    const rect = stripRect(model)
    if (rect === null || model.strip === null) return
    const { width, height } = model.strip
    const strip = document.createElement('canvas')
    ;[strip.width, strip.height] = [width, height]
    const context = contextOf(strip)
    context.drawImage(panel, rect.x, rect.y, rect.width, rect.height, 0, 0, width, height)
    await writeChanged('strip', context.getImageData(0, 0, width, height).data, (pixels) =>
      deck.fillLcd(0, pixels, { format: 'rgba' }),
    )
  }

  async function writeChanged(
    place: number | 'strip',
    pixels: Uint8ClampedArray,
    send: (pixels: Uint8ClampedArray) => Promise<void>,
  ): Promise<void> {
    if (isSame(shown.get(place), pixels)) return
    await within(send(pixels))
    shown.set(place, pixels)
  }

  return {
    device,
    serial,
    firmware,
    model,
    show(content) {
      pending = content
      void writeAll()
    },
    forget,
    async flash() {
      if (isFlashing) return
      isFlashing = true
      try {
        for (let index = 0; index < screenKeys(model); index += 1)
          await within(deck.fillKeyBuffer(index, white(model.key), { format: 'rgba' }))
        for (let round = 0; round < flashes; round += 1) {
          await within(deck.setBrightness(100))
          await delay(flashTime)
          await within(deck.setBrightness(0))
          await delay(flashTime)
        }
      } finally {
        isFlashing = false
        forget()
      }
    },
    async close() {
      isClosed = true
      await release(deck, listening)
    },
  }
}

/** Rejects with `SilentDeck` if a call takes too long. */
async function within<Result>(call: Promise<Result>): Promise<Result> {
  let timer = 0
  const late = new Promise<never>((_resolve, reject) => {
    timer = window.setTimeout(() => reject(new SilentDeck()), callTime)
  })
  try {
    return await Promise.race([call, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Opens a deck with the library. A deck that opens too late is closed again. */
async function openWithin(device: HIDDevice, listening: AbortController): Promise<StreamDeckWeb> {
  const opened = openDevice(withListenersUntil(device, listening.signal), { encodeJPEG })
  try {
    return await within(opened)
  } catch (error) {
    listening.abort()
    void opened.then((deck) => release(deck, listening)).catch(() => {})
    throw error
  }
}

/** The library never removes its listeners from a device, which the browser keeps while it is plugged in. */
function withListenersUntil(device: HIDDevice, signal: AbortSignal): HIDDevice {
  return new Proxy(device, {
    get(target, name) {
      if (name === 'addEventListener')
        return (type: string, listener: EventListener) => target.addEventListener(type, listener, { signal })
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

/** Closes a deck, even if it does not respond or is unplugged. */
async function release(deck: StreamDeckWeb, listening: AbortController): Promise<void> {
  listening.abort()
  deck.removeAllListeners()
  await within(deck.close()).catch(() => {})
}

/** A deck also works without a readable serial number or firmware version, unless it does not respond at all. */
async function identityOf(deck: StreamDeckWeb): Promise<Pick<DrivenDeck, 'serial' | 'firmware'>> {
  const read = (text: Promise<string>) =>
    within(text).catch((error: unknown) => {
      if (error instanceof SilentDeck) throw error
      return ''
    })
  const serial = usableSerial(await read(deck.getSerialNumber()))
  const firmware = await read(deck.getFirmwareVersion())
  return { serial, firmware: firmware.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu, '').slice(0, 50) }
}

function isSame(one: Uint8ClampedArray | undefined, other: Uint8ClampedArray): boolean {
  return one !== undefined && one.length === other.length && one.every((value, at) => value === other[at])
}

/** Synchronous: the library would use `toBlob`, which waits for an idle moment with each key. */
async function encodeJPEG(
  pixels: Uint8Array | Uint8ClampedArray,
  width: number,
  height: number,
): Promise<Uint8Array> {
  const canvas = document.createElement('canvas')
  ;[canvas.width, canvas.height] = [width, height]
  contextOf(canvas).putImageData(new ImageData(new Uint8ClampedArray(pixels), width, height), 0, 0)
  const [, base64 = ''] = canvas.toDataURL('image/jpeg', 0.9).split(',')
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}

const white = (edge: number) => new Uint8ClampedArray(edge * edge * 4).fill(255)

const delay = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
