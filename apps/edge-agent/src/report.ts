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

/** How this machine is, as far as the operating system tells. */
export async function lookAround(folder: string): Promise<Omit<EdgeReport, 'decks' | 'instances'>> {
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

/** Of `free` the caches of Linux are no part, though they are there for whoever needs the memory. */
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

/** One line as the server takes it: no control characters, and nothing that is half a character, as a cut may leave. */
export const printable = (text: string, most: number) => text.slice(0, most).replace(/[\p{Cc}\p{Cs}]/gu, ' ')
