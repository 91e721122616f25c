import { readFile, statfs } from 'node:fs/promises'
import {
  availableParallelism,
  freemem,
  hostname,
  loadavg,
  networkInterfaces,
  totalmem,
  uptime,
} from 'node:os'
import type { EdgeReport } from '@pult/contract'

const startedAt = performance.now()

/** Reads the state of this machine, as far as the operating system reports it. */
export async function readCondition(folder: string): Promise<Omit<EdgeReport, 'decks' | 'instances'>> {
  const [memory, disk] = await Promise.all([memoryNow(), diskOf(folder)])
  const [one = 0, five = 0, fifteen = 0] = loadavg()
  return {
    hostname: printable(hostname(), 255),
    platform: `${process.platform} ${process.arch}`,
    load: [round(one), round(five), round(fifteen)],
    cores: availableParallelism(),
    memory,
    disk,
    addresses: addresses(),
    uptime: Math.round(uptime()),
    agentUptime: Math.round((performance.now() - startedAt) / 1000),
  }
}

/** `free` does not include Linux's caches, although that memory is available. */
async function memoryNow(): Promise<EdgeReport['memory']> {
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => '')
  const available = /^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1]
  return { total: totalmem(), free: available === undefined ? freemem() : Number(available) * 1024 }
}

async function diskOf(folder: string): Promise<EdgeReport['disk']> {
  const found = await statfs(folder).catch(() => undefined)
  return found === undefined ? null : { total: found.blocks * found.bsize, free: found.bavail * found.bsize }
}

const addressesMost = 32

export const addresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
    .map(({ address }) => address)
    .slice(0, addressesMost)

const round = (value: number) => Math.round(value * 100) / 100

/**
 * Returns one line that the server accepts, without control characters and without half a surrogate pair, which a cut
 * may leave.
 */
export const printable = (text: string, most: number) => text.slice(0, most).replace(/[\p{Cc}\p{Cs}]/gu, ' ')
