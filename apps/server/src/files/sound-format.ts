import type { FileBytes } from './file-bytes.ts'

/*
 * Formats of sound and video that the library does not recognise: MP3 that begins within a frame, as recorders and cutters
 * write it, transport streams that begin within a packet, and WAV beyond 4 GiB.
 */

/** Packets of a transport stream have 188 bytes, with a time code 192, with error correction 204. */
const packetLengths = [188, 192, 204]
const packetsInRow = 5

export function isTransportStream(start: Buffer): boolean {
  return packetLengths.some((length) =>
    Array.from({ length }, (_, offset) => offset).some((offset) =>
      Array.from({ length: packetsInRow }, (_, packet) => offset + packet * length).every(
        (at) => start[at] === 0x47,
      ),
    ),
  )
}

/** Boxes that may precede the file type of a film or, in QuickTime, the film itself. */
const leadingBoxes = new Set(['uuid', 'skip', 'pnot', 'udta', 'free', 'wide'])
const filmBoxes = new Set(['ftyp', 'moov', 'mdat'])
const leadingBoxesMost = 16

/** Returns whether the boxes of an ISO base media file begin with some that the library does not expect there. */
export async function isFilm({ size, read }: FileBytes): Promise<boolean> {
  let at = 0
  for (let boxes = 0; boxes < leadingBoxesMost && at + 8 <= size; boxes += 1) {
    const head = await read(at, 16)
    const type = head.toString('latin1', 4, 8)
    if (filmBoxes.has(type)) return boxes > 0
    if (!leadingBoxes.has(type)) return false
    const length = head.readUInt32BE(0)
    const whole = length === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : length
    if (whole < 8) return false
    at += whole
  }
  return false
}

/** EBU Tech 3306 and ITU-R BS.2088: `RIFF` with sizes of 64 bits. */
export const isLongWave = (start: Buffer): boolean =>
  /^(?:RF64|BW64)/.test(start.toString('latin1', 0, 4)) && start.toString('latin1', 8, 12) === 'WAVE'

/** Kilobits per second of layer III, of version 1 and of versions 2 and 2.5. */
const bitRates = [
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const
const samplesPerSecond = [44_100, 48_000, 32_000]
const framesInRow = 3

/** Returns whether three frames of MPEG layer III follow one another, from any byte on. */
export function hasMp3Frames(bytes: Buffer): boolean {
  for (let first = bytes.indexOf(0xff); first >= 0; first = bytes.indexOf(0xff, first + 1)) {
    let [at, frames] = [first, 0]
    for (let length = frameLength(bytes, at); length > 0; length = frameLength(bytes, at)) {
      at += length
      frames += 1
      if (frames === framesInRow) return true
    }
  }
  return false
}

/** Returns the length of the frame at this place; 0 if there is none. */
function frameLength(bytes: Buffer, at: number): number {
  if (at + 4 > bytes.length) return 0
  const header = bytes.readUInt32BE(at)
  const [version, layer] = [(header >>> 19) & 3, (header >>> 17) & 3]
  if (header >>> 21 !== 0x7ff || version === 1 || layer !== 1) return 0
  const isFirst = version === 3
  const rate = bitRates[isFirst ? 0 : 1][((header >>> 12) & 15) - 1]
  const samples = samplesPerSecond[(header >>> 10) & 3]
  if (rate === undefined || samples === undefined) return 0
  const divisor = version === 0 ? 4 : isFirst ? 1 : 2
  return Math.floor(((isFirst ? 144 : 72) * rate * 1000) / (samples / divisor)) + ((header >>> 9) & 1)
}
