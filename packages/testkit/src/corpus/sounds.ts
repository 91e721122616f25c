import type { CorpusFile } from './corpus-file.ts'
import { changed, checkedIn, ran, type Source, written } from './studio.ts'
import { frame, tagged } from './written/id3.ts'
import { broadcastParts, listParts, wave } from './written/wave.ts'

const sound = (
  name: string,
  type: string,
  writer: string,
  source: Source,
  more: Partial<CorpusFile> = {},
): CorpusFile => ({ name, type, writer, source, shows: 'sound', ...more })

const ffmpeg = (how: string) => ran('ffmpeg', `ffmpeg -y -v error -i tone.wav ${how}`)
const licensed = { isLicensed: true }
const unplayable = { shows: 'nothing' } as const
const mp3 = checkedIn('plain.mp3')

/** A frame whose content no compressor shortens, like a cover. */
const cover = (bytes: number) =>
  Buffer.concat([
    Buffer.from('\0image/jpeg\0\x03\0', 'latin1'),
    Buffer.from(Array.from({ length: bytes }, (_, at) => (at * 2_654_435_761) >>> 24)),
  ])

/** An SMF with one note (MIDI 1.0). */
const midi = () =>
  Buffer.concat([
    Buffer.from('MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x0c', 'latin1'),
    Buffer.from([0, 0x90, 60, 64, 0x60, 0x80, 60, 0, 0, 0xff, 0x2f, 0]),
  ])

export const sounds: readonly CorpusFile[] = [
  sound(
    'Aufnahme #1.wav',
    'audio/wav',
    'Audacity, 16 bits',
    written(() => wave()),
  ),
  sound(
    'Audio 1_01.wav',
    'audio/wav',
    'Pro Tools, 24 bits, bext and iXML',
    written(() => wave({ bits: 24, before: broadcastParts })),
  ),
  sound(
    '01-Take 1.wav',
    'audio/wav',
    'Reaper, 32-bit float, LIST',
    written(() => wave({ bits: 32, after: listParts })),
  ),
  sound(
    'ZOOM0001.WAV',
    'audio/wav',
    'Zoom H6, RF64',
    written(() => wave({ isLarge: true })),
  ),
  sound(
    'Diktat.wav',
    'audio/wav',
    'Dictation machine, ADPCM',
    ran('sox', 'sox tone.wav -e ima-adpcm out.wav'),
    unplayable,
  ),
  sound('Bounce.aif', 'audio/x-aiff', 'Logic Pro', ran('sox', 'sox tone.wav out.aiff'), unplayable),
  sound('Bounce.aifc', 'audio/aiff', 'macOS, AIFC', ffmpeg('-c:a pcm_s16le -f aiff out.aifc'), unplayable),
  sound('Jingle.mp3', 'audio/mpeg', 'lame, constant rate', mp3),
  sound(
    'Jingle VBR.mp3',
    'audio/mpeg',
    'lame, variable rate',
    ran('lame', 'lame --quiet -V 4 tone.wav out.mp3'),
  ),
  sound(
    'Jingle ohne Xing.mp3',
    'audio/mpeg',
    'lame, without a Xing header',
    ran('lame', 'lame --quiet -t -b 64 tone.wav out.mp3'),
  ),
  sound(
    'Titel 1.mp3',
    'audio/mpeg',
    'Winamp, ID3v1',
    changed(mp3, (bytes) => Buffer.concat([bytes, Buffer.from(`TAG${'Titel'.padEnd(125, '\0')}`)])),
  ),
  sound(
    'Titel 2.mp3',
    'audio/mpeg',
    'iTunes, ID3v2.2',
    changed(mp3, (bytes) => tagged(bytes, 2, frame('TT2', Buffer.from('\0Titel'), 2))),
  ),
  sound(
    'Titel 3.mp3',
    'audio/mpeg',
    'Mp3tag, ID3v2.3 with a cover of 2 MB',
    changed(mp3, (bytes) => tagged(bytes, 3, frame('APIC', cover(2_000_000), 3))),
  ),
  sound(
    'Titel 4.mp3',
    'audio/mpeg',
    'foobar2000, ID3v2.4 with a cover',
    changed(mp3, (bytes) => tagged(bytes, 4, frame('APIC', cover(60_000), 4))),
  ),
  sound(
    'Neue Aufnahme.m4a',
    'audio/x-m4a',
    'iPhone, voice memo, index last',
    ffmpeg('-c:a aac out.m4a'),
    licensed,
  ),
  sound('Titel.m4a', 'audio/x-m4a', 'Apple Music, ALAC', ffmpeg('-c:a alac out.m4a'), unplayable),
  sound('Radio.aac', 'audio/aac', 'Stream ripper, ADTS', ffmpeg('-c:a aac out.aac'), licensed),
  sound('Freesound.ogg', 'audio/ogg', 'Audacity, Vorbis', checkedIn('plain.ogg')),
  sound(
    'Cover.ogg',
    'audio/ogg',
    'Picard, 40 KB of comments',
    ffmpeg(`-c:a libvorbis -metadata comment=${'x'.repeat(40_000)} out.ogg`),
  ),
  sound('PTT-20261128-WA0000.opus', 'audio/ogg', 'WhatsApp, Opus', ffmpeg('-c:a libopus -b:a 16k out.opus')),
  sound('Master.flac', 'audio/flac', 'flac', ran('flac', 'flac -s -f tone.wav -o out.flac')),
  sound(
    'Master mit ID3.flac',
    'audio/flac',
    'EAC, 60 KB of ID3 first',
    changed(ran('flac', 'flac -s -f tone.wav -o out.flac'), (bytes) =>
      tagged(bytes, 3, frame('APIC', cover(60_000), 3)),
    ),
  ),
  sound(
    'Sprachnachricht.weba',
    'audio/webm',
    'MediaRecorder of Chrome',
    ffmpeg('-c:a libopus -f webm out.weba'),
  ),
  sound('Melodie.mid', 'audio/mid', 'Cubase', written(midi), unplayable),
  sound(
    'Memo.amr',
    'audio/amr',
    'Nokia phone',
    written(() =>
      Buffer.concat([
        Buffer.from('#!AMR\n'),
        ...Array.from({ length: 50 }, () => Buffer.concat([Buffer.from([0x3c]), Buffer.alloc(31)])),
      ]),
    ),
    unplayable,
  ),
  sound('Titel 5.wma', 'audio/x-ms-wma', 'Windows Media Player', ffmpeg('-c:a wmav2 out.wma'), unplayable),
  sound('Sample.caf', 'audio/x-caf', 'GarageBand', ffmpeg('-c:a pcm_s16be out.caf'), unplayable),
]
