import { type ChildProcess, fork } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exitCodes } from '../../apps/edge-agent/src/exit-codes.ts'
import { prepareFolder, readState, writeState } from '../../apps/edge-agent/src/state.ts'
import { workerMark } from '../../apps/edge-agent/src/supervisor.ts'
import { root } from '../steps.ts'
import { machineVariable, type PretendedMachine } from './pretend-machine.ts'

/** A machine that the demo simulates, and its programs. */
export interface DemoMachine {
  /** Name of its state folder. */
  name: string
  label: string
  project: 'shorePower' | 'terminal'
  instances: { key: string; label: string; isRunning: boolean; canRestart?: boolean }[]
  /** The agent's report. */
  is: PretendedMachine
}

const gigabyte = 1024 ** 3

export const demoMachines: DemoMachine[] = [
  {
    name: 'uebergabe',
    label: 'Übergabestation',
    project: 'shorePower',
    instances: [
      { key: 'converter', label: 'Umrichter-Leitrechner', isRunning: true, canRestart: true },
      { key: 'meter', label: 'Zählerabfrage', isRunning: true, canRestart: true },
      { key: 'display', label: 'Anzeige am Kai', isRunning: false, canRestart: true },
    ],
    is: {
      hostname: 'uebergabe-kai7',
      address: '203.0.113.71',
      cores: 8,
      load: 2.6,
      memory: { total: 16 * gigabyte, free: 9.4 * gigabyte },
      disk: { total: 240 * gigabyte, free: 142 * gigabyte },
      uptime: 2_413_600,
    },
  },
  {
    name: 'kabelwagen',
    label: 'Kabelwagen',
    project: 'shorePower',
    instances: [{ key: 'winch', label: 'Windensteuerung', isRunning: true }],
    is: {
      hostname: 'kabelwagen',
      address: '203.0.113.74',
      cores: 4,
      load: 0.5,
      memory: { total: 4 * gigabyte, free: 2.1 * gigabyte },
      disk: { total: 58 * gigabyte, free: 11 * gigabyte },
      uptime: 611_300,
    },
  },
  {
    name: 'bruecke-4',
    label: 'Containerbrücke 4',
    project: 'terminal',
    instances: [
      { key: 'camera', label: 'Spreader-Kamera', isRunning: true, canRestart: true },
      { key: 'recorder', label: 'Fahrtenschreiber', isRunning: true },
    ],
    is: {
      hostname: 'bruecke-4',
      address: '203.0.113.44',
      cores: 4,
      load: 3.2,
      memory: { total: 8 * gigabyte, free: 1.9 * gigabyte },
      disk: { total: 120 * gigabyte, free: 57 * gigabyte },
      uptime: 5_108_000,
    },
  },
]

/** More machines for the demo and its pictures. Tests start only the first machines, because each runs an agent. */
export const furtherMachines: DemoMachine[] = [
  {
    name: 'anschluss-1',
    label: 'Landanschluss 1',
    project: 'shorePower',
    instances: [
      { key: 'breaker', label: 'Leistungsschalter', isRunning: true, canRestart: true },
      { key: 'meter', label: 'Zählerabfrage', isRunning: true, canRestart: true },
    ],
    is: machine('anschluss-1', { host: 72, cores: 4, load: 1.1, memory: [8, 4.8], disk: [120, 71] }),
  },
  {
    name: 'anschluss-2',
    label: 'Landanschluss 2',
    project: 'shorePower',
    instances: [{ key: 'breaker', label: 'Leistungsschalter', isRunning: true, canRestart: true }],
    is: machine('anschluss-2', { host: 73, cores: 4, load: 2.2, memory: [8, 3.1], disk: [120, 64] }),
  },
  {
    name: 'trafo-ost',
    label: 'Trafostation Ost',
    project: 'shorePower',
    instances: [{ key: 'temperature', label: 'Temperaturwächter', isRunning: true }],
    is: machine('trafo-ost', { host: 75, cores: 2, load: 0.3, memory: [4, 1.7], disk: [58, 4] }),
  },
  {
    name: 'bruecke-1',
    label: 'Containerbrücke 1',
    project: 'terminal',
    instances: [
      { key: 'camera', label: 'Spreader-Kamera', isRunning: true, canRestart: true },
      { key: 'recorder', label: 'Fahrtenschreiber', isRunning: true },
    ],
    is: machine('bruecke-1', { host: 41, cores: 4, load: 1.9, memory: [8, 3.6], disk: [120, 66] }),
  },
  {
    name: 'portalkran-2',
    label: 'Portalkran 2',
    project: 'terminal',
    instances: [{ key: 'positioning', label: 'Positionierung', isRunning: true, canRestart: true }],
    is: machine('portalkran-2', { host: 52, cores: 8, load: 2.7, memory: [16, 8.2], disk: [240, 151] }),
  },
  {
    name: 'reefer-12',
    label: 'Reefer-Reihe 12',
    project: 'terminal',
    instances: [{ key: 'reefer', label: 'Kühlüberwachung', isRunning: true, canRestart: true }],
    is: machine('reefer-12', { host: 62, cores: 2, load: 0.6, memory: [4, 2.4], disk: [58, 33] }),
  },
]

/** Total and free sizes in GiB; `host` is the last part of the address. */
interface Hardware {
  host: number
  cores: number
  load: number
  memory: [number, number]
  disk: [number, number]
}

function machine(hostname: string, { host, cores, load, memory, disk }: Hardware): PretendedMachine {
  return {
    hostname,
    address: `203.0.113.${host}`,
    cores,
    load,
    memory: { total: memory[0] * gigabyte, free: memory[1] * gigabyte },
    disk: { total: disk[0] * gigabyte, free: disk[1] * gigabyte },
    uptime: host * 31_000,
  }
}

const agentFile = join(root, 'dist/edge-agent/edge-agent.mjs')
const pretence = new URL('pretend-machine.ts', import.meta.url).href
const program = (code: string) => [process.execPath, '--eval', code]

/** Stores the edge's token and the instances in the state folder of a machine. */
export async function settle(
  folder: string,
  { instances }: DemoMachine,
  state: Parameters<typeof writeState>[1],
): Promise<void> {
  await prepareFolder(folder)
  const settings = instances.map(({ key, label, isRunning, canRestart = false }) => ({
    key,
    label,
    status: program(`process.exitCode = ${isRunning ? 0 : 1}`),
    ...(canRestart && {
      restart: program(`console.log('stopped'); setTimeout(() => console.log('started'), 1500)`),
    }),
  }))
  await writeFile(join(folder, 'config.json'), JSON.stringify({ instances: settings }, null, 2))
  await writeState(folder, state)
}

/**
 * Starts an agent for each state folder. The agents exit with this process even if it is killed, because their
 * channel closes.
 */
export async function startAgents(folder: string, url: string): Promise<{ stop(): void }> {
  const agents = new Set<ChildProcess>()
  let isStopping = false

  function start(name: string): void {
    const found = [...demoMachines, ...furtherMachines].find((one) => one.name === name)
    const agent = fork(agentFile, ['--state', join(folder, name)], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        [workerMark]: '1',
        ...(found && { [machineVariable]: JSON.stringify(found.is) }),
      },
      execArgv: ['--import', pretence],
      silent: true,
    })
    agents.add(agent)
    // The agents' output is irrelevant to the demo's user, and must not block when nothing reads it.
    agent.stdout?.resume()
    agent.stderr?.resume()
    agent.on('error', () => agents.delete(agent))
    agent.on('exit', (code) => {
      agents.delete(agent)
      if (code === exitCodes.restart && !isStopping) start(name)
    })
  }

  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const stateFolder = join(folder, name)
    const state = await readState(stateFolder)
    if (state === undefined) continue
    // The port may differ from that of the last start.
    if (state.server !== url) await writeState(stateFolder, { ...state, server: url })
    start(name)
  }
  return {
    stop() {
      isStopping = true
      for (const agent of agents) agent.kill('SIGTERM')
    },
  }
}
