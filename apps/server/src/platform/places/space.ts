import { statfs } from 'node:fs/promises'

/** The space of a file system. */
export interface Space {
  /** Bytes that this process may still write. */
  free: number
  /** Bytes of the whole file system. */
  size: number
  /** Free inodes: each new file needs one. Undefined if the file system has no fixed number of them. */
  inodes?: number | undefined
}

interface Counts {
  type: number
  bsize: number
  /** Older versions of Node do not report it. */
  frsize?: number | undefined
  blocks: number
  bavail: number
  files: number
  ffree: number
}

/** The type of FUSE, which virtiofs shares: FUSE_SUPER_MAGIC of linux/magic.h. */
const fuse = 0x65735546

/** Bytes above which no file system on FUSE counts its blocks: such a `bsize` is the size of its transfers. */
const unitMost = 65_536
const usualUnit = 4096

/** Returns the bytes of a counted block. `bsize` is it only where `frsize` is missing: nodejs/node#62277. */
function unitOf({ type, bsize, frsize = 0 }: Counts): number {
  if (frsize > 0) return frsize
  return type === fuse && bsize > unitMost ? usualUnit : bsize
}

/** Returns the space that the answer of `statfs` describes. */
export function spaceOf(counts: Counts): Space {
  const unit = unitOf(counts)
  const inodes = counts.files > 0 ? counts.ffree : undefined
  return { free: counts.bavail * unit, size: counts.blocks * unit, inodes }
}

/** Reads the space of the file system of a folder. */
export const readSpace = async (folder: string): Promise<Space> => spaceOf(await statfs(folder))
