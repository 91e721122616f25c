import type { CorpusFile } from './corpus-file.ts'
import { checkedIn, ran, type Source } from './studio.ts'

const video = (
  name: string,
  type: string,
  writer: string,
  source: Source,
  more: Partial<CorpusFile> = {},
): CorpusFile => ({ name, type, writer, source, shows: 'video', ...more })

const picture = '-f lavfi -i testsrc=s=320x240:r=10:d=2'
const both = `${picture} -f lavfi -i sine=d=2`
const ffmpeg = (input: string, how: string) => ran('ffmpeg', `ffmpeg -y -v error ${input} ${how}`)
const h264 = '-pix_fmt yuv420p -c:v libx264 -preset ultrafast'

const licensed = { isLicensed: true }
const unplayable = { shows: 'nothing' } as const
const onlySound = { shows: 'sound' } as const

export const videos: readonly CorpusFile[] = [
  video(
    'VID_20261128_100000.mp4',
    'video/mp4',
    'Android, index last',
    ffmpeg(both, `${h264} -c:a aac out.mp4`),
    licensed,
  ),
  video(
    'Trailer.mp4',
    'video/mp4',
    'HandBrake, index first',
    ffmpeg(both, `${h264} -c:a aac -movflags +faststart out.mp4`),
    licensed,
  ),
  video(
    'Stream.mp4',
    'video/mp4',
    'OBS, fragmented',
    ffmpeg(both, `${h264} -c:a aac -movflags +frag_keyframe+empty_moov out.mp4`),
    licensed,
  ),
  video(
    'VID_hoch.mp4',
    'video/mp4',
    'Android, held upright',
    ffmpeg(picture, `${h264} -metadata:s:v rotate=90 out.mp4`),
    licensed,
  ),
  video('stumm.mp4', 'video/mp4', 'Screen recorder, no sound', checkedIn('moving.mp4'), licensed),
  video(
    'Bildrate.mp4',
    'video/mp4',
    'Phone, variable frame rate',
    ffmpeg(picture, `-vf setpts='PTS+floor(N/4)*0.05/TB' -vsync vfr ${h264} out.mp4`),
    licensed,
  ),
  video(
    'IMG_7004.MOV',
    'video/quicktime',
    'iPhone, compatible',
    ffmpeg(both, `${h264} -c:a aac out.mov`),
    licensed,
  ),
  video(
    'IMG_7005.MOV',
    'video/quicktime',
    'iPhone, HEVC',
    ffmpeg(
      both,
      '-pix_fmt yuv420p -c:v libx265 -preset ultrafast -x265-params log-level=none -tag:v hvc1 -c:a aac out.mov',
    ),
    licensed,
  ),
  video(
    'Schnitt.mov',
    'video/quicktime',
    'Final Cut, ProRes',
    ffmpeg(both, '-c:v prores -c:a pcm_s16le out.mov'),
    onlySound,
  ),
  video('Clip.m4v', 'video/x-m4v', 'iTunes', ffmpeg(both, `${h264} -c:a aac -f ipod out.m4v`), licensed),
  video('VP8.webm', 'video/webm', 'ffmpeg, VP8', checkedIn('moving.webm')),
  video(
    'VP9.webm',
    'video/webm',
    'YouTube, VP9',
    ffmpeg(both, '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus out.webm'),
  ),
  video(
    'AV1.webm',
    'video/webm',
    'YouTube, AV1',
    ffmpeg(both, '-c:v libaom-av1 -cpu-used 8 -usage realtime -c:a libopus out.webm'),
  ),
  video(
    'Overlay.webm',
    'video/webm',
    'After Effects, transparent',
    ffmpeg(
      '-framerate 5 -i frame-%d.png',
      '-vf format=yuva420p,colorchannelmixer=aa=0.5 -c:v libvpx-vp9 -auto-alt-ref 0 -deadline realtime -cpu-used 8 out.webm',
    ),
  ),
  // A live file has no duration, like those of MediaRecorder.
  video(
    'Aufzeichnung.webm',
    'video/webm',
    'MediaRecorder of Chrome',
    ffmpeg(both, '-c:v libvpx -c:a libopus -f webm -live 1 out.webm'),
  ),
  video('Mitschnitt.mkv', 'video/x-matroska', 'OBS', ffmpeg(both, `${h264} -c:a libopus out.mkv`), licensed),
  video(
    'MVI_0815.AVI',
    'video/x-msvideo',
    'Canon PowerShot, Motion JPEG',
    ffmpeg(both, '-c:v mjpeg -pix_fmt yuvj420p -c:a pcm_u8 out.avi'),
    unplayable,
  ),
  video(
    '00001.MTS',
    'video/mp2t',
    'Sony Handycam',
    ffmpeg(both, `${h264} -c:a ac3 -f mpegts out.mts`),
    unplayable,
  ),
  video(
    'VIDEO0001.3gp',
    'video/3gpp',
    'Old phone, H.263',
    ffmpeg('-f lavfi -i testsrc=s=176x144:r=10:d=2', '-c:v h263 out.3gp'),
    unplayable,
  ),
  video(
    'Wikipedia.ogv',
    'video/ogg',
    'Wikimedia, Theora',
    ffmpeg(both, '-c:v libtheora -c:a libvorbis out.ogv'),
    onlySound,
  ),
  video(
    'Kamera.mpg',
    'video/mpeg',
    'DVD recorder',
    ffmpeg(both, '-c:v mpeg2video -r 25 out.mpg'),
    unplayable,
  ),
  video(
    'Vortrag.wmv',
    'video/x-ms-wmv',
    'PowerPoint',
    ffmpeg(both, '-c:v wmv2 -c:a wmav2 out.wmv'),
    unplayable,
  ),
]
