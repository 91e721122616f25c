import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

/* Preloaded in the demo's agents, so that each reports a simulated machine instead of the real one. */

/** The properties of a simulated machine. */
export interface PretendedMachine {
  hostname: string
  address: string
  cores: number
  /** Approximate load of all cores together. */
  load: number
  memory: { total: number; free: number }
  /** Sizes in bytes. */
  disk: { total: number; free: number }
  /** Uptime in seconds. */
  uptime: number
}

export const machineVariable = 'PULT_DEMO_MACHINE'

const block = 4096
const given = process.env[machineVariable]
if (given !== undefined) {
  const { hostname, address, cores, load, memory, disk, uptime } = JSON.parse(given) as PretendedMachine
  const begun = Date.now()
  // The load varies slightly, so that charts change.
  const now = () => load * (1 + Math.sin(Date.now() / 40_000 + hostname.length) / 8)
  const { readFile } = files
  Object.assign(os, {
    hostname: () => hostname,
    availableParallelism: () => cores,
    loadavg: () => [now(), load, load],
    totalmem: () => memory.total,
    freemem: () => memory.free,
    uptime: () => uptime + (Date.now() - begun) / 1000,
    networkInterfaces: () => ({ eth0: [{ address, family: 'IPv4', internal: false }] }),
  })
  Object.assign(files, {
    statfs: async () => ({
      bsize: block,
      blocks: disk.total / block,
      bavail: disk.free / block,
      bfree: disk.free / block,
    }),
    readFile: (path: unknown, ...more: [never]) =>
      path === '/proc/meminfo'
        ? Promise.reject(new Error('This machine has no /proc/meminfo'))
        : readFile(path as string, ...more),
  })
  syncBuiltinESMExports()
}
