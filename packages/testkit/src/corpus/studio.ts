import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type DebianProgramName, debianProgram } from '../neighbours/debian-program.ts'
import { exif } from './written/jpeg.ts'
import { png } from './written/png.ts'
import { displayP3 } from './written/profile.ts'
import { scene } from './written/scene.ts'
import { wave } from './written/wave.ts'

const execute = promisify(execFile)
const filesFolder = join(import.meta.dirname, 'files')

/** A folder with raw material, in which Debian's programs write the files of the corpus. */
export interface Studio {
  /** Runs a program in the folder and returns the file that it wrote. Null if the program is not available. */
  run: (
    program: DebianProgramName,
    command: string,
    args: readonly string[],
    output: string,
  ) => Promise<Buffer | null>
  close: () => Promise<void>
}

/** How a file comes to be. */
export interface Source {
  /** The Debian program that it needs. */
  program: DebianProgramName | null
  /** Null if the program is not available on this machine. */
  make: (studio: Studio) => Promise<Buffer | null>
}

/** Frames of a moving bar. */
export const frames = (width: number, height: number, count = 8) =>
  Array.from({ length: count }, (_, frame) => scene(width, height, { frame }))

/**
 * Opens a folder with `scene.png` and `alpha.png` (640 × 480), `frame-0.png` to `frame-7.png` (240 × 160), `deep.png`
 * (16 bits), `tone.wav` (2 s), `p3.icc`, `notes.txt` and the checked-in files.
 */
export async function openStudio(): Promise<Studio> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-corpus-'))
  const put = (name: string, content: string | Buffer) => writeFile(join(folder, name), content)
  await put('scene.png', png(scene(640, 480)))
  await put('alpha.png', png(scene(640, 480, { isTransparent: true }), { kind: 'color with alpha' }))
  await put('deep.png', png(scene(320, 240), { bits: 16 }))
  await put('tone.wav', wave({ seconds: 2 }))
  await put('p3.icc', displayP3())
  await put('notes.txt', 'Messe Hannover\n'.repeat(40))
  await put('turned.exif', exif(6))
  for (const [index, frame] of frames(240, 160).entries()) await put(`frame-${index}.png`, png(frame))
  for (const name of await readdir(filesFolder)) await put(name, await readFile(join(filesFolder, name)))
  await put('plain.ppm', ppm())
  return {
    async run(program, command, args, output) {
      const found = await debianProgram(program, command)
      if (found === null) return null
      await execute(found.path, args, { cwd: folder, env: found.env, maxBuffer: 16 * 1024 * 1024 })
      return readFile(join(folder, output))
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

function ppm(): Buffer {
  const { width, height, data } = scene(640, 480)
  const colors = data.filter((_, at) => at % 4 < 3)
  return Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), colors])
}

/** Bytes that this folder writes itself. */
export const written = (make: () => Buffer | string): Source => ({
  program: null,
  make: async () => Buffer.from(make()),
})

/** A checked-in file of this folder. */
export const checkedIn = (name: string): Source => ({
  program: null,
  make: () => readFile(join(filesFolder, name)),
})

/**
 * The output `out.*` of a program. The command line has no quotes, because its arguments contain no spaces.
 */
export function ran(program: DebianProgramName, line: string): Source {
  const [command = '', ...args] = line.split(' ')
  const output = args.map((each) => /(?:^|:)(out\.\w+)$/.exec(each)?.[1]).findLast(Boolean) ?? ''
  return { program, make: (studio) => studio.run(program, command, args, output) }
}

/** A source whose bytes are changed. */
export const changed = (source: Source, change: (bytes: Buffer) => Buffer): Source => ({
  program: source.program,
  async make(studio) {
    const bytes = await source.make(studio)
    return bytes === null ? null : change(bytes)
  },
})

/** The first share of a file, as an interrupted copy leaves it. */
export const firstPart = (source: Source, share: number): Source =>
  changed(source, (bytes) => bytes.subarray(0, Math.floor(bytes.length * share)))
