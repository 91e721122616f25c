import type { Locator, Page } from '@playwright/test'
import type { CorpusFile } from '@pult/testkit'

/** How Chromium shows a file. */
export interface Look {
  kind: 'picture' | 'sound' | 'video' | 'nothing'
  width?: number
  height?: number
  /** The number of frames of a picture. */
  frames?: number
  /** Seconds; null if unknown. */
  duration?: number | null
  /** Mean colours of 8 × 8 fields, on white. */
  fields?: readonly number[]
}

/** The largest difference of one colour in one field, out of 255. */
const tolerance = 24

/** Returns how Chromium shows an element of the page, or a file in a separate element. */
export async function lookAt(
  page: Page,
  { url = '', type = '', element }: { url?: string; type?: string; element?: Locator },
): Promise<Look> {
  const shown = element === undefined ? null : await element.elementHandle()
  return page.evaluate(
    async ([address, mime, given]): Promise<Look> => {
      const withinTime = async (waiting: Promise<unknown>) =>
        Promise.race([
          waiting.then(
            () => true,
            () => false,
          ),
          new Promise<boolean>((late) => setTimeout(late, 10_000, false)),
        ])

      /** Chromium reads no pixels of a drawing with embedded HTML. */
      function pixelsOf(drawing: OffscreenCanvasRenderingContext2D): Uint8ClampedArray | never[] {
        try {
          return drawing.getImageData(0, 0, 64, 64).data
        } catch {
          return []
        }
      }

      async function pictureLook(image: HTMLImageElement, blob: Blob): Promise<Look> {
        const canvas = new OffscreenCanvas(64, 64)
        const drawing = canvas.getContext('2d', { willReadFrequently: true })
        if (drawing === null) throw new Error('no canvas')
        drawing.fillStyle = 'white'
        drawing.fillRect(0, 0, 64, 64)
        drawing.imageSmoothingQuality = 'high'
        drawing.drawImage(image, 0, 0, 64, 64)
        const data = pixelsOf(drawing)
        const fields = Array.from({ length: 64 * 3 }, () => 0)
        for (let at = 0; at < data.length; at += 4) {
          const [x, y] = [(at / 4) % 64, Math.floor(at / 256)]
          const field = (Math.floor(y / 8) * 8 + Math.floor(x / 8)) * 3
          for (const color of [0, 1, 2])
            fields[field + color] = (fields[field + color] ?? 0) + (data[at + color] ?? 0) / 64
        }
        return {
          kind: 'picture',
          width: image.naturalWidth,
          height: image.naturalHeight,
          frames: await framesOf(blob),
          ...(data.length > 0 && { fields: fields.map(Math.round) }),
        }
      }

      async function framesOf(blob: Blob): Promise<number> {
        const bytes = await blob.arrayBuffer()
        const start = new TextDecoder('latin1').decode(bytes.slice(0, 32))
        const sniffed = start.startsWith('GIF8')
          ? 'image/gif'
          : start.startsWith('RIFF')
            ? 'image/webp'
            : start.slice(1, 4) === 'PNG'
              ? 'image/png'
              : start.slice(4, 10) === 'ftypav'
                ? 'image/avif'
                : null
        if (sniffed === null) return 1
        const decoder = new ImageDecoder({ data: bytes, type: sniffed })
        await withinTime(decoder.tracks.ready.then(() => decoder.completed))
        return Math.max(1, ...Array.from(decoder.tracks, (track) => track.frameCount))
      }

      async function soundLook(media: HTMLMediaElement): Promise<Look> {
        const isKnown = await withinTime(
          new Promise((ready, failed) => {
            if (media.readyState > 0) ready(null)
            media.addEventListener('loadedmetadata', ready, { once: true })
            media.addEventListener('error', failed, { once: true })
            if (media.error !== null) failed(new Error(media.error.message))
          }),
        )
        if (!isKnown) return { kind: 'nothing' }
        const duration = Number.isFinite(media.duration) ? media.duration : null
        if (!(media instanceof HTMLVideoElement) || media.videoWidth === 0) return { kind: 'sound', duration }
        return { kind: 'video', duration, width: media.videoWidth, height: media.videoHeight }
      }

      if (given instanceof HTMLImageElement) {
        if (!(await withinTime(given.decode()))) return { kind: 'nothing' }
        return pictureLook(given, await (await fetch(given.currentSrc)).blob())
      }
      if (given instanceof HTMLMediaElement) return soundLook(given)
      const bytes = await (await fetch(address)).arrayBuffer()
      const blob = new Blob([bytes], { type: mime })
      const source = URL.createObjectURL(blob)
      if (mime === '' || mime.startsWith('image/')) {
        const image = new Image()
        image.src = source
        return (await withinTime(image.decode())) ? pictureLook(image, blob) : { kind: 'nothing' }
      }
      const media = document.createElement(mime.startsWith('video/') ? 'video' : 'audio')
      media.preload = 'metadata'
      media.src = source
      return soundLook(media)
    },
    [url, type, shown] as const,
  )
}

/** Returns the differences between the original and a page that shows it. */
export function unlike(
  original: Look,
  shown: Look,
  { isIncomplete = false, hasVagueColors = false }: Pick<CorpusFile, 'isIncomplete' | 'hasVagueColors'>,
): string[] {
  if (original.kind !== shown.kind) return [`${shown.kind} instead of ${original.kind}`]
  const faults: string[] = []
  const [ratio = 1, shownRatio = 1] = [original, shown].map(({ width = 1, height = 1 }) => width / height)
  if (Math.abs(ratio / shownRatio - 1) > 0.02)
    faults.push(`${shown.width} × ${shown.height} instead of ${original.width} × ${original.height}`)
  const [frames, shownFrames] = [original.frames ?? 1, shown.frames ?? 1]
  if (frames > 1 && shownFrames === 1) faults.push(`still instead of ${frames} frames`)
  if (frames === 1 && shownFrames > 1) faults.push('moves instead of being still')
  if (typeof original.duration === 'number' && !isNear(original.duration, shown.duration))
    faults.push(`${shown.duration} s instead of ${original.duration} s`)
  // Two moving pictures are rarely at the same frame.
  if (frames > 1 || hasVagueColors) return faults
  const fields = original.fields?.slice(0, isIncomplete ? original.fields.length / 2 : undefined) ?? []
  const difference = Math.max(0, ...fields.map((color, at) => Math.abs(color - (shown.fields?.[at] ?? 0))))
  return difference > tolerance ? [...faults, `colours differ by ${difference} of 255`] : faults
}

const isNear = (seconds: number, shown: number | null | undefined) =>
  typeof shown === 'number' && Math.abs(seconds - shown) <= 0.1
