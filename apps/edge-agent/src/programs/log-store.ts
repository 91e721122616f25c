import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { edgeLog } from '@pult/contract'
import { writeLog } from '../agent-log.ts'
import { reasonOf } from '../state.ts'

/** Maximum size of a log and of one of its files, in bytes. */
const keptMost = 10 * 1024 * 1024
const fileMost = 256 * 1024

/** Maximum number of files. Each start of the agent begins one. */
const filesMost = 100

/**
 * Bytes of the newest lines that are kept in memory: more than one answer, so that the newest lines can be read
 * without a file.
 */
const recentMost = 64 * 1024

/** Milliseconds until lines are written to the disk, and bytes that may wait for it. */
const writeDelay = 250
const waitingMost = 512 * 1024

interface Asked {
  after: number
  before?: number | undefined
  isForward?: boolean | undefined
}

interface Range {
  after: number
  before: number
  isForward: boolean
}

export interface FoundLines {
  first: number
  lines: string[]
  oldest: number
}

/** A file of the log, named by the number of its first line. */
interface LogFile {
  first: number
  bytes: number
}

interface LogStoreParts {
  folder: string
  /** Maximum size in bytes of the log, and of one file. */
  kept?: number
  file?: number
}

/** Stores the last lines of a log in a folder. Lines are numbered from 1 and keep their numbers. */
export function createLogStore({ folder, kept = keptMost, file: fileBytes = fileMost }: LogStoreParts) {
  let files: LogFile[] = []
  /** Number of the next line. */
  let next = 1
  let recent: string[] = []
  let recentBytes = 0
  let waiting: string[] = []
  let waitingBytes = 0
  let timer: NodeJS.Timeout | undefined
  let isFailing = false
  let working: Promise<void> = open()

  const pathOf = ({ first }: LogFile) => join(folder, `${String(first).padStart(15, '0')}.log`)

  async function open(): Promise<void> {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const names = (await readdir(folder)).filter((name) => /^\d{15}\.log$/.test(name)).toSorted()
      const found = names.map((name) => ({ first: Number.parseInt(name, 10), bytes: 0 }))
      for (const each of found) each.bytes = (await stat(pathOf(each))).size
      files = found
      const last = files.at(-1)
      const before = last === undefined ? 0 : last.first - 1 + (await linesIn(last)).length
      // Lines that were added in the meantime follow.
      next += before
    } catch (error) {
      writeLog(`The log in ${folder} cannot be read: ${reasonOf(error)}`)
    }
    // A file may end with a partial line after a loss of power, so each start begins a new file.
    files.push({ first: next - waiting.length, bytes: 0 })
  }

  async function linesIn(file: LogFile): Promise<string[]> {
    const text = await readFile(pathOf(file), 'utf8').catch(() => '')
    if (text === '') return []
    return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
  }

  /** Writes the waiting lines, one write at a time. */
  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    working = working.then(writeWaiting)
    return working
  }

  async function writeWaiting(): Promise<void> {
    if (waiting.length === 0) return
    const first = next - waiting.length
    const text = `${waiting.join('\n')}\n`
    waiting = []
    waitingBytes = 0
    let last = files.at(-1)
    if (last === undefined || last.bytes >= fileBytes) {
      last = { first, bytes: 0 }
      files.push(last)
    }
    try {
      await appendFile(pathOf(last), text, { mode: 0o600 })
      last.bytes += Buffer.byteLength(text)
      isFailing = false
    } catch (error) {
      if (!isFailing) writeLog(`The log in ${folder} cannot be written: ${reasonOf(error)}`)
      isFailing = true
      // The line numbers of a file must have no gap.
      if (last.bytes === 0) {
        files.pop()
        // Otherwise each failed write would leave a file with another name.
        await rm(pathOf(last), { force: true }).catch(() => {})
      }
      files.push({ first: next - waiting.length, bytes: 0 })
    }
    let bytes = files.reduce((sum, each) => sum + each.bytes, 0)
    while (files.length > 1 && (bytes > kept || files.length > filesMost)) {
      const [gone] = files.splice(0, 1) as [LogFile]
      bytes -= gone.bytes
      await rm(pathOf(gone), { force: true }).catch(() => {})
    }
  }

  /** Reads lines with numbers between `after` and `before` from the files, until they fill an answer. */
  async function readFiles({ after, before, isForward }: Range): Promise<FoundLines> {
    const oldest = files.find(({ bytes }) => bytes > 0)?.first ?? next
    const answer = createAnswer()
    const ordered = isForward ? files : files.toReversed()
    for (const [place, each] of ordered.entries()) {
      const following = isForward ? ordered[place + 1] : ordered[place - 1]
      const end = following?.first ?? next
      if (each.bytes === 0 || end <= after + 1 || each.first >= before) continue
      const lines = await linesIn(each)
      const begin = Math.max(0, after + 1 - each.first)
      const count = Math.min(lines.length, Math.min(before, end) - each.first) - begin
      for (let step = 0; step < count; step += 1) {
        const index = isForward ? begin + step : begin + count - 1 - step
        if (!answer.add(lines[index] ?? '', each.first + index)) return answer.found(isForward, oldest)
      }
    }
    return answer.found(isForward, oldest, Math.min(next, before))
  }

  return {
    add(line: string): void {
      next += 1
      waiting.push(line)
      recent.push(line)
      waitingBytes += line.length
      recentBytes += line.length
      if (recentBytes > recentMost * 2) {
        // Rarely done, because it moves all lines.
        let dropped = 0
        while (recentBytes > recentMost) recentBytes -= recent[dropped++]?.length ?? 0
        recent = recent.slice(dropped)
      }
      timer ??= setTimeout(() => void write(), writeDelay)
    },

    /** Resolves when most lines are on the disk; undefined if they already are. */
    drained: (): Promise<void> | undefined => (waitingBytes < waitingMost ? undefined : write()),

    async read({ after, before: until, isForward = false }: Asked): Promise<FoundLines> {
      await working
      const before = until ?? next
      const from = next - recent.length
      if (!isForward && before >= next) {
        const answer = createAnswer()
        let number = next - 1
        while (number >= from && number > after && answer.add(recent[number - from] ?? '', number))
          number -= 1
        const isWhole = number >= from || number <= after
        const oldest = files.find(({ bytes }) => bytes > 0)?.first ?? from
        if (isWhole) return answer.found(false, oldest, next)
      }
      await write()
      return readFiles({ after, before, isForward })
    },

    /** Deletes all lines. Their numbers are never reused. */
    async clear(): Promise<void> {
      await write()
      for (const file of files) await rm(pathOf(file), { force: true }).catch(() => {})
      files = [{ first: next, bytes: 0 }]
      recent = []
      recentBytes = 0
    },

    /** Writes all lines to the disk. */
    close: write,
  }
}
export type LogStore = ReturnType<typeof createLogStore>

/** Collects consecutive lines up to the size of an answer. */
function createAnswer() {
  const lines: string[] = []
  let first: number | undefined
  let former: number | undefined
  let bytes = 0
  return {
    /**
     * Returns whether the line fits and follows the former one without a gap. Lines that could not be written are
     * missing.
     */
    add(line: string, number: number): boolean {
      if (former !== undefined && Math.abs(number - former) !== 1) return false
      former = number
      const more = Buffer.byteLength(JSON.stringify(line)) + 1
      if (lines.length >= edgeLog.linesMax || bytes + more > edgeLog.bytesMax) return false
      bytes += more
      lines.push(line)
      first = first === undefined ? number : Math.min(first, number)
      return true
    },
    found: (isForward: boolean, oldest: number, without = 0): FoundLines => ({
      first: first ?? without,
      lines: isForward ? lines : lines.toReversed(),
      oldest,
    }),
  }
}
