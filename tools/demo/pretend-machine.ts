import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

/* Preloaded in the demo's agents, so that each reports a different machine instead of the one that runs the demo. */

/** The properties of a simulated machine. */
export interface PretendedMachine {
  hostname: string
  address: string
  cores: number
  /** Approximate load of all cores together. */
  load: number
  memory: { total: number; free: number }
  /** Bytes. */
  disk: { total: number; free: number }
  /** Seconds. */
  uptime: number
}

export const machineVariable = 'PULT_DEMO_MACHINE'

const block = 4096
const given = process.env[machineVariable]
if (given !== undefined) {
  const { hostname, address, cores, load, memory, disk, uptime } = JSON.parse(given) as PretendedMachine
  const begun = Date.now()
  // It breathes a little, so that something moves.
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
      path === '/proc/meminfo' ? Promise.reject(new Error('It has none')) : readFile(path as string, ...more),
  })
  syncBuiltinESMExports()
}
