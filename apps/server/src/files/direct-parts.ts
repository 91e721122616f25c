import type { ArrivedPart } from '#platform/files/file-driver.ts'

/** A part of an upload to the store. */
export interface PlannedPart {
  /** From 1. */
  number: number
  /** Position of its first byte. */
  first: number
  /** The position after its last byte. */
  end: number
}

/** Divides a file into parts of `bytes`. The last one can be smaller. */
function partsOf(size: number, bytes: number): PlannedPart[] {
  return Array.from({ length: Math.ceil(size / bytes) }, (_, index) => ({
    number: index + 1,
    first: index * bytes,
    end: Math.min((index + 1) * bytes, size),
  }))
}

/** Compares a file with the parts in the store. A part of another length counts as missing. */
export function progressOf(
  size: number,
  { bytes, arrived }: { bytes: number; arrived: readonly ArrivedPart[] },
): { received: number; present: ArrivedPart[]; missing: PlannedPart[] } {
  const known = new Map(arrived.map((part) => [part.number, part]))
  const present: ArrivedPart[] = []
  const missing: PlannedPart[] = []
  for (const part of partsOf(size, bytes)) {
    const found = known.get(part.number)
    if (found?.size === part.end - part.first) present.push(found)
    else missing.push(part)
  }
  return { received: present.reduce((sum, part) => sum + part.size, 0), present, missing }
}
