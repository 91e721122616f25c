import { AppError } from './app-error.ts'
import type { Sentence } from './language.ts'
import type { Log } from './log.ts'
import { createProbe } from './places/probe.ts'
import { readSpace, type Space } from './places/space.ts'

export type { Space }

interface DiskSpaceParts {
  /** The folders of this node that grow. They may be on different disks. */
  folders: readonly string[]
  /** Bytes that uploads, exports and backups leave free, so that the database can still write. */
  reserve: number
  log: Log
  probe?: ((folder: string) => Promise<Space>) | undefined
  /** Milliseconds between two checks. */
  interval?: number
}

/** The free space is read again after this many admitted bytes or milliseconds. */
const admittedMax = 8 * 1024 * 1024
const probeInterval = 1000

/** Milliseconds that a folder may take to answer. */
const patience = 2000

/** The reserve counts as gone when the database could not add another file, of 16 MiB, to its log. */
const leastFree = 16 * 1024 * 1024

/**
 * Watches the free space of this node. Files may use the disk down to the reserve. The rest is for the database:
 * notes, sign-ins and the audit log continue while uploads are refused.
 */
export function createDiskSpace({
  folders,
  reserve,
  log,
  probe = readSpace,
  interval = 2000,
}: DiskSpaceParts) {
  const probes = folders.map((folder) =>
    createProbe({
      call: () => probe(folder),
      patience,
      fault: () => new Error(`${folder} does not answer`),
    }),
  )
  const floor = Math.min(leastFree, reserve / 8)
  let least: Space | undefined
  let probedAt = -Infinity
  let admitted = 0
  let lacksInodes = false
  let reported: 'space' | 'inodes' | undefined
  let timer: NodeJS.Timeout | undefined

  const isFull = () => least !== undefined && least.free <= floor

  /** Logs each change once. */
  function report(): void {
    const missing = isFull() ? 'space' : lacksInodes ? 'inodes' : undefined
    if (missing === reported) return
    reported = missing
    const free = least?.free
    if (missing === undefined) log.info({ free }, 'the disk has space again')
    else if (missing === 'space') log.error({ free }, 'disk full: nothing can be saved until space is freed')
    else
      log.error({ free }, 'disk full: it has no free inodes, so no file can be saved until files are deleted')
  }

  /** Reads the disk with the least space. A folder that cannot be read or hangs is left out: its own use reports the reason. */
  async function refresh(): Promise<void> {
    const all = await Promise.all(probes.map((ask) => ask().catch(() => undefined)))
    const known = all.filter((space) => space !== undefined)
    least = known.length === 0 ? undefined : known.reduce((a, b) => (b.free < a.free ? b : a))
    lacksInodes = known.some(({ inodes }) => inodes === 0)
    probedAt = performance.now()
    admitted = 0
    report()
  }

  return {
    refresh,
    reserve,

    /** Returns whether the reserve is gone, so that the database can hardly write. */
    isFull,

    /** Returns whether a disk can hold no further file, although bytes may be free. */
    lacksInodes: () => lacksInodes,

    /** Returns the space of the fullest disk; undefined before the first check. */
    read: (): Space | undefined => least,

    /** Throws DISK_RESERVED if a disk has no free inodes, or if these further bytes of a file would use the reserve. */
    async admit(bytes: number): Promise<void> {
      if (admitted > admittedMax || performance.now() - probedAt > probeInterval) await refresh()
      admitted += bytes
      if (lacksInodes) throw new AppError('DISK_RESERVED', { message: noInodes })
      if (reserve === 0) return
      if (least !== undefined && least.free - admitted < reserve) throw new AppError('DISK_RESERVED')
    },

    start(): void {
      timer = setInterval(() => void refresh(), interval).unref()
    },

    stop(): void {
      clearInterval(timer)
    },
  }
}
export type DiskSpace = ReturnType<typeof createDiskSpace>

const noInodes: Sentence = {
  de: 'The server’s disk can hold no more files, because it has no free inodes. Ask root to delete files',
  'de-DE':
    'Der Datenträger des Servers fasst keine weiteren Dateien, denn er hat keine freien Inodes. Bitten Sie Root, Dateien zu löschen',
}
