import type { CorpusFile } from './corpus-file.ts'
import { changed, checkedIn, firstPart, ran, type Source } from './studio.ts'
import {
  exif,
  exifSegment,
  largeSegments,
  multiPicture,
  profileSegment,
  segment,
  withoutJfif,
  withSegments,
  xmpSegment,
} from './written/jpeg.ts'
import { displayP3 } from './written/profile.ts'

const plain = checkedIn('plain.jpg')
const photo = ran('libjpeg-turbo-progs', 'cjpeg -quality 90 -outfile out.jpg plain.ppm')

const jpeg = (name: string, writer: string, source: Source, more: Partial<CorpusFile> = {}): CorpusFile => ({
  name,
  type: 'image/jpeg',
  writer,
  source,
  shows: 'picture',
  ...more,
})

/** A photo with another file behind it, which the attributes announce. */
const withBehind = (attributes: string, behind: Source): Source => ({
  program: null,
  async make(studio) {
    const [picture, rest] = [await plain.make(studio), await behind.make(studio)]
    return picture && rest && Buffer.concat([withSegments(picture, [xmpSegment(attributes)]), rest])
  },
})

/** Samsung marks the parts behind a picture with names and ends with `SEFT`. */
const samsungTrailer = (name: string, content: Buffer) =>
  Buffer.concat([
    Buffer.from([0, 0, 0x30, 0x0a, name.length, 0, 0, 0]),
    Buffer.from(name),
    content,
    Buffer.from('SEFT'),
  ])

const orientations = [1, 2, 3, 4, 5, 6, 7, 8].map((orientation) =>
  jpeg(
    `IMG_000${orientation}.JPG`,
    `iPhone held in position ${orientation}`,
    changed(plain, (bytes) => withSegments(withoutJfif(bytes), [exifSegment(exif(orientation, 'Apple'))])),
  ),
)

export const jpegs: readonly CorpusFile[] = [
  ...orientations,
  jpeg('DSC_0042.JPG', 'Nikon Z 6', photo),
  jpeg(
    'Titelbild.jpg',
    'Photoshop, progressive',
    ran('libjpeg-turbo-progs', 'cjpeg -progressive -outfile out.jpg plain.ppm'),
  ),
  jpeg(
    'DSC01234.JPG',
    'Sony α7, restart markers',
    ran('libjpeg-turbo-progs', 'cjpeg -restart 1 -outfile out.jpg plain.ppm'),
  ),
  jpeg(
    'Scan 1.jpeg',
    'Scanner, greyscale',
    ran('libjpeg-turbo-progs', 'cjpeg -grayscale -outfile out.jpg plain.ppm'),
  ),
  jpeg(
    'Logo RGB.jpg',
    'Illustrator, RGB without conversion',
    ran('libjpeg-turbo-progs', 'cjpeg -rgb -quality 95 -outfile out.jpg plain.ppm'),
  ),
  jpeg(
    'GOPR0017.JPG',
    'GoPro, 4:2:2',
    ran('libjpeg-turbo-progs', 'cjpeg -sample 2x1 -outfile out.jpg plain.ppm'),
  ),
  jpeg(
    'Anzeige_CMYK.jpg',
    'InDesign, CMYK',
    ran('imagemagick', 'convert-im6.q16 scene.png -colorspace CMYK out.jpg'),
    { hasVagueColors: true },
  ),
  jpeg(
    'Anzeige_Profil.jpg',
    'ImageMagick, Display P3',
    ran('imagemagick', 'convert-im6.q16 scene.png -profile p3.icc out.jpg'),
  ),
  jpeg(
    'IMG_1234.jpeg',
    'iPhone 15, Display P3',
    changed(plain, (bytes) => withSegments(bytes, [profileSegment(displayP3())])),
  ),
  jpeg(
    '_DSC7788.jpg',
    'Lightroom, 500 KB of metadata',
    changed(plain, (bytes) => withSegments(bytes, largeSegments())),
  ),
  jpeg(
    'P1000123.JPG',
    'Panasonic GH5, second picture behind the first',
    changed(plain, (bytes) => multiPicture(bytes, bytes)),
  ),
  jpeg(
    '20261128_100000.jpg',
    'Samsung Galaxy S23, trailer',
    changed(plain, (bytes) =>
      Buffer.concat([bytes, samsungTrailer('Image_UTC_Data', Buffer.from('1795860000000'))]),
    ),
  ),
  jpeg(
    '20261128_100001.jpg',
    'Samsung Galaxy S23, motion photo',
    withBehind(
      'xmlns:s="http://ns.samsung.com/"',
      changed(checkedIn('moving.mp4'), (video) => samsungTrailer('MotionPhoto_Data', video)),
    ),
  ),
  jpeg(
    'PXL_20261128_100000123.MP.jpg',
    'Pixel 8, motion photo',
    withBehind(
      'xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1" GCamera:MicroVideoOffset="2774"',
      checkedIn('moving.mp4'),
    ),
  ),
  jpeg(
    'WhatsApp Image 2026-11-28 at 10.00.00.jpeg',
    'WhatsApp, last 2 bytes missing',
    changed(plain, (bytes) => bytes.subarray(0, -2)),
    { isIncomplete: true },
  ),
  jpeg('DCIM_0099.JPG', 'Card removed at 93 %', firstPart(photo, 0.93), { isIncomplete: true }),
  jpeg(
    'IMG_20261128_broken.jpg',
    'Editor that truncates EXIF',
    changed(plain, (bytes) => withSegments(bytes, [exifSegment(exif(6).subarray(0, 21))])),
  ),
  jpeg(
    'IMG_20261128_offset.jpg',
    'Editor that moves EXIF without its offsets',
    changed(plain, (bytes) =>
      withSegments(bytes, [exifSegment(Buffer.from('II*\0\xff\xff\xff\x7f', 'latin1'))]),
    ),
  ),
  jpeg('IMG_E0005.JPG', 'iOS Photos, edited, without JFIF', changed(plain, withoutJfif)),
  jpeg('Unbenannt.jfif', 'Edge, saved picture', plain),
  jpeg(
    'Kommentar.jpg',
    'GIMP, comment',
    changed(plain, (bytes) => withSegments(bytes, [segment(0xfe, Buffer.from('Created with GIMP'))])),
  ),
  jpeg('Foto.png', 'JPEG renamed by hand', plain, { type: 'image/png' }),
  jpeg('Download.jpg', 'WebP that a web shop serves as .jpg', checkedIn('plain.webp')),
  jpeg('Bild aus Mail', 'Mail attachment without an extension', plain, { type: '' }),
  jpeg('IMG_7001.jpg', 'iPhone, HEIC named .jpg', checkedIn('plain.heic'), {
    shows: 'nothing',
    refused: ['CONTENT_MISMATCH', 'UNSUPPORTED_MEDIA_TYPE'],
  }),
]
