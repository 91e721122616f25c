import { deflateSync } from 'node:zlib'
import type { CorpusFile } from './corpus-file.ts'
import { changed, firstPart, frames, ran, type Source, written } from './studio.ts'
import { exif } from './written/jpeg.ts'
import { animatedPng, chunk, png, uint32 } from './written/png.ts'
import { displayP3 } from './written/profile.ts'
import { scene } from './written/scene.ts'

const picture = scene(400, 300)
const clear = scene(400, 300, { isTransparent: true })
const plain = written(() => png(picture))
const behindHeader = (bytes: Buffer, chunks: readonly Buffer[]) =>
  Buffer.concat([bytes.subarray(0, 33), ...chunks, bytes.subarray(33)])

const file = (name: string, writer: string, source: Source, more: Partial<CorpusFile> = {}): CorpusFile => ({
  name,
  type: 'image/png',
  writer,
  source,
  shows: 'picture',
  ...more,
})

const text = (keyword: string, value: string) => chunk('tEXt', Buffer.from(`${keyword}\0${value}`, 'latin1'))
const profile = () =>
  chunk('iCCP', Buffer.concat([Buffer.from('Display P3\0\0', 'latin1'), deflateSync(displayP3())]))

export const pngs: readonly CorpusFile[] = [
  file(
    'Strichzeichnung.png',
    'GIMP, 1 bit',
    written(() => png(picture, { kind: 'grey', bits: 1 })),
  ),
  file(
    'Grau 2.png',
    'optipng, 2 bits',
    written(() => png(picture, { kind: 'grey', bits: 2 })),
  ),
  file(
    'Grau 4.png',
    'optipng, 4 bits',
    written(() => png(picture, { kind: 'grey', bits: 4 })),
  ),
  file(
    'Grau 16.png',
    'Microscope, 16 bits',
    written(() => png(picture, { kind: 'grey', bits: 16 })),
  ),
  file(
    'Ebene.png',
    'GIMP, greyscale with transparency',
    written(() => png(clear, { kind: 'grey with alpha' })),
  ),
  file(
    'Rendering.png',
    'Blender, 16 bits',
    written(() => png(picture, { bits: 16 })),
  ),
  file(
    'Freisteller.png',
    'Photoshop, transparent',
    written(() => png(clear, { kind: 'color with alpha' })),
  ),
  file(
    'Freisteller 16.png',
    'Affinity Photo, transparent, 16 bits',
    written(() => png(clear, { kind: 'color with alpha', bits: 16 })),
  ),
  file(
    'icon-8.png',
    'pngquant, palette with transparency',
    written(() => png(clear, { kind: 'palette' })),
  ),
  file(
    'icon-4.png',
    'pngquant, palette of 16 colours',
    written(() => png(picture, { kind: 'palette', bits: 4 })),
  ),
  file(
    'Interlaced.png',
    'Photoshop, interlaced',
    ran('imagemagick', 'convert-im6.q16 scene.png -interlace PNG out.png'),
  ),
  file(
    'Bildschirmfoto 2026-11-28 um 10.00.00.png',
    'macOS, screenshot in Display P3',
    written(() =>
      png(picture, { before: [profile(), chunk('eXIf', exif(1, 'Apple')), chunk('iDOT', Buffer.alloc(28))] }),
    ),
  ),
  file('Screenshot_20261128-100000.png', 'Android', plain),
  file(
    'Gamma.png',
    'Old Photoshop, gamma of a Mac',
    written(() => png(picture, { before: [chunk('gAMA', uint32(55_556))] })),
  ),
  file(
    'Notizen.png',
    'draw.io, drawing in a text chunk',
    written(() =>
      png(picture, {
        before: [text('mxfile', '%3Cmxfile%20host%3D%22app.diagrams.net%22%3E'), text('Software', 'draw.io')],
      }),
    ),
  ),
  file(
    'Gedreht.png',
    'digiKam, orientation in EXIF',
    written(() => png(picture, { before: [chunk('eXIf', exif(6))] })),
  ),
  file(
    'Teil.png',
    'Interrupted download, 93 %',
    firstPart(ran('ffmpeg', 'ffmpeg -y -v error -f lavfi -i mandelbrot=s=640x480 -frames:v 1 out.png'), 0.93),
    { isIncomplete: true },
  ),
  file(
    'Anhang.png',
    'Windows snipping tool, uncropped rest behind the end',
    changed(plain, (bytes) => Buffer.concat([bytes, Buffer.alloc(4000, 7)])),
  ),
  file(
    'Prüfsumme.png',
    'Editor that keeps a checksum of a changed text',
    changed(plain, (bytes) =>
      behindHeader(bytes, [Buffer.concat([text('Title', 'x').subarray(0, -4), uint32(1)])]),
    ),
  ),
  file(
    'App-Icon@2x.png',
    'Xcode, CgBI',
    changed(plain, (bytes) =>
      Buffer.concat([bytes.subarray(0, 8), chunk('CgBI', uint32(0x50002002)), bytes.subarray(8)]),
    ),
    { shows: 'nothing', refused: ['CONTENT_MISMATCH'] },
  ),
  file(
    'Ladeanzeige.png',
    'After Effects, animated PNG',
    written(() => animatedPng(frames(120, 80))),
  ),
  file(
    'Sticker.apng',
    'Signal sticker',
    written(() => animatedPng(frames(120, 80, 4), { plays: 2 })),
    { type: 'image/apng' },
  ),
  file(
    'Animation mit Standbild.png',
    'APNG Assembler, hidden first picture',
    written(() => animatedPng(frames(120, 80), { still: scene(120, 80) })),
  ),
  file(
    'Ein Bild.png',
    'APNG Assembler, one frame',
    written(() => animatedPng(frames(120, 80, 1))),
  ),
  file(
    'Simulation.png',
    'ffmpeg, large animated PNG',
    ran('ffmpeg', 'ffmpeg -y -v error -f lavfi -i mandelbrot=s=800x600:r=10 -t 1.5 -plays 0 -f apng out.png'),
  ),
]
