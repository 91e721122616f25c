import type { CorpusFile } from './corpus-file.ts'
import { checkedIn, firstPart, ran, type Source, written } from './studio.ts'
import { icon, windowsBitmap } from './written/bitmap.ts'
import { png } from './written/png.ts'
import { scene } from './written/scene.ts'

const of =
  (type: string) =>
  (name: string, writer: string, source: Source, more: Partial<CorpusFile> = {}): CorpusFile => ({
    name,
    type,
    writer,
    source,
    shows: 'picture',
    ...more,
  })
const gif = of('image/gif')
const webp = of('image/webp')
const avif = of('image/avif')
const tiff = of('image/tiff')

const convert = (line: string) => ran('imagemagick', `convert-im6.q16 ${line}`)
const loop = (how: string) => convert(`${how} frame-0.png frame-2.png frame-4.png frame-6.png out.gif`)

const gifs = [
  gif('logo.gif', 'GIF87a of a web page of 1995', convert('scene.png -colors 16 GIF87:out.gif')),
  gif('giphy.gif', 'Giphy', checkedIn('moving.gif')),
  gif(
    'Bildschirmaufnahme.gif',
    'LICEcap, large',
    ran('ffmpeg', 'ffmpeg -y -v error -f lavfi -i mandelbrot=s=800x600:r=10 -t 2 out.gif'),
  ),
  gif(
    'small.gif',
    'ffmpeg',
    ran('ffmpeg', 'ffmpeg -y -v error -f lavfi -i testsrc=s=200x150:r=5:d=2 out.gif'),
  ),
  gif('Dreimal.gif', 'Photoshop, three loops', loop('-delay 20 -loop 3')),
  gif('Hintergrund.gif', 'ImageReady, disposal to background', loop('-delay 20 -loop 0 -dispose background')),
  gif('Vorher.gif', 'ImageReady, disposal to previous', loop('-delay 20 -loop 0 -dispose previous')),
  gif('schnell.gif', 'Online converter, zero delays', loop('-delay 0 -loop 0')),
  gif('Kommentar.gif', 'GIMP, comment', loop('-set comment Created-with-GIMP -delay 20 -loop 0')),
  gif('optimiert.gif', 'gifsicle', ran('gifsicle', 'gifsicle -O3 --colors 32 moving.gif -o out.gif')),
  gif('Abgebrochen.gif', 'Interrupted download, 93 %', firstPart(checkedIn('moving.gif'), 0.93)),
  gif('Durchsichtig.gif', 'GIMP, transparent', convert('alpha.png out.gif')),
]

const webps = [
  webp('Produktbild.webp', 'Squoosh, lossy', checkedIn('plain.webp')),
  webp('Bildschirm.webp', 'cwebp, lossless', ran('webp', 'cwebp -quiet -lossless scene.png -o out.webp')),
  webp('Freisteller.webp', 'cwebp, transparent', ran('webp', 'cwebp -quiet -q 80 alpha.png -o out.webp')),
  webp('Sticker.webp', 'Telegram, animated', checkedIn('moving.webp')),
  webp(
    'Gedreht.webp',
    'Android, orientation in EXIF',
    ran('webp', 'webpmux -set exif turned.exif plain.webp -o out.webp'),
  ),
  webp(
    'Sticker gedreht.webp',
    'animated, orientation in EXIF',
    ran('webp', 'webpmux -set exif turned.exif moving.webp -o out.webp'),
  ),
  webp('P3.webp', 'Chrome, Display P3', ran('webp', 'webpmux -set icc p3.icc plain.webp -o out.webp')),
]

const avifenc = (how: string) => ran('libavif-bin', `avifenc -s 9 ${how} out.avif`)
const avifs = [
  avif('Teaser.avif', 'avifenc', checkedIn('plain.avif')),
  avif('Teaser 10 bit.avif', 'avifenc, 10 bits', avifenc('-d 10 -y 444 scene.png')),
  avif('Freisteller.avif', 'avifenc, transparent', avifenc('alpha.png')),
  avif('Bewegt.avif', 'avifenc, animated', checkedIn('moving.avif')),
  avif('Gedreht.avif', 'Android 14, rotated by irot', avifenc('--irot 1 scene.png')),
  avif('Gespiegelt.avif', 'Android 14, mirrored by imir', avifenc('--imir 0 scene.png')),
  avif('Windows.avif', 'Windows without a type for AVIF', checkedIn('plain.avif'), { type: '' }),
]

const onlyElsewhere = { shows: 'nothing', refused: ['UNSUPPORTED_MEDIA_TYPE', 'CONTENT_MISMATCH'] } as const
const others = [
  tiff('Scan_0001.tif', 'Epson Scan, LZW', convert('-size 800x600 plasma: -compress LZW out.tif'), {
    shows: 'nothing',
  }),
  tiff('Druckdaten.tiff', 'Photoshop, ZIP', convert('scene.png -compress Zip out.tif'), { shows: 'nothing' }),
  tiff(
    'Fax.tif',
    'Fax server, several pages',
    convert('frame-0.png frame-1.png frame-2.png -compress LZW out.tif'),
    { shows: 'nothing' },
  ),
  tiff('Mac.tif', 'macOS Preview, big endian', convert('scene.png -endian MSB -compress LZW out.tif'), {
    shows: 'nothing',
  }),
  tiff('Archivscan.tif', 'Scanner, JPEG in TIFF', ran('libtiff-tools', 'tiffcp -c jpeg plain.tiff out.tif'), {
    shows: 'nothing',
  }),
  of('image/heic')('IMG_7002.HEIC', 'iPhone', checkedIn('plain.heic'), onlyElsewhere),
  of('')('IMG_7003.HEIC', 'iPhone, seen from Windows', checkedIn('plain.heic'), onlyElsewhere),
  of('image/bmp')(
    'Unbenannt.bmp',
    'Windows Paint',
    written(() => windowsBitmap(scene(160, 120))),
  ),
  of('image/x-icon')(
    'favicon.ico',
    'Favicon generator',
    written(() => icon(png(scene(48, 48)))),
  ),
]

export const pictures: readonly CorpusFile[] = [...gifs, ...webps, ...avifs, ...others]
