import { type ChildProcess, fork } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exitCodes } from '../../apps/edge-agent/src/exit-codes.ts'
import { prepareFolder, readState, writeState } from '../../apps/edge-agent/src/state.ts'
import { workerMark } from '../../apps/edge-agent/src/supervisor.ts'
import { root } from '../steps.ts'
import { machineVariable, type PretendedMachine } from './pretend-machine.ts'

/** A machine that the demo pretends to be, and what runs on it. */
export interface DemoMachine {
  /** Of its state folder. */
  name: string
  label: string
  project: 'shorePower' | 'terminal'
  instances: { key: string; label: string; isRunning: boolean; canRestart?: boolean }[]
  /** What its agent reports of it. */
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

const agentFile = join(root, 'dist/edge-agent/edge-agent.mjs')
const pretence = new URL('pretend-machine.ts', import.meta.url).href
const program = (code: string) => [process.execPath, '--eval', code]

/** Makes a machine the edge whose token this is, with what it runs in its settings. */
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
 * Starts an agent for each state folder. They end with this process, even when it ends without a word: each hears that
 * nobody is at the other end of its channel.
 */
export async function startAgents(folder: string, url: string): Promise<{ stop(): void }> {
  const agents = new Set<ChildProcess>()
  let isStopping = false

  function start(name: string): void {
    const machine = demoMachines.find((one) => one.name === name)
    const agent = fork(agentFile, ['--state', join(folder, name)], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        [workerMark]: '1',
        ...(machine && { [machineVariable]: JSON.stringify(machine.is) }),
      },
      execArgv: ['--import', pretence],
      silent: true,
    })
    agents.add(agent)
    // What an agent says is of no use to who looks at the demo, and must not stop it once nobody reads.
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
    // Its port may be another one than at the last start.
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
