import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createDeclaredCommands } from './declared-commands.ts'
import { createInstances } from './instances.ts'
import { createAdopted } from './programs/adopted.ts'
import { createLogStore } from './programs/log-store.ts'
import { createLogText } from './programs/log-text.ts'
import { readState } from './state.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const variables = {
  LANG: 'de_DE.UTF-8',
  LC_TIME: 'C',
  DISPLAY: ':7',
  EDGE_TEST_PASSWORD: 'secret-of-the-agent',
  PULT_EDGE_WORKER: '1',
  PULT_EDGE_TRIAL: '1',
  PULT_EDGE_INSTALLED: '/opt/pult-edge/edge-agent.mjs',
  STATE_DIRECTORY: '/var/lib/pult-edge',
  RUNTIME_DIRECTORY: '/run/pult-edge',
  CREDENTIALS_DIRECTORY: '/run/credentials/pult-edge.service',
  NOTIFY_SOCKET: '/run/systemd/notify',
  WATCHDOG_USEC: '30000000',
  LISTEN_FDS: '1',
  INVOCATION_ID: 'f00',
  JOURNAL_STREAM: '8:1',
  NODE_OPTIONS: '--no-warnings',
  NODE_CHANNEL_FD: '3',
  HTTPS_PROXY: 'http://ada:secret@proxy.example:3128',
}
const needed = ['LANG', 'LC_TIME', 'DISPLAY']
const own = Object.keys(variables).filter((name) => !needed.includes(name))
for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)

const environment = { HALL: 'North' }
const shows = ['/usr/bin/env']

/** The variables without those that a shell sets. */
const namesIn = (lines: readonly string[]) =>
  lines.flatMap((line) => /^(?:\S+ )?([A-Z_]+)=/.exec(line)?.[1] ?? []).filter((name) => name !== '_')

/** Returns the variables that a program lacks, and those of the agent that it must not receive. */
function faultsOf(lines: readonly string[], ...more: string[]) {
  const names = namesIn(lines)
  return {
    lacking: ['PATH', ...needed, ...more].filter((name) => !names.includes(name)),
    leaked: own.filter((name) => names.includes(name)),
  }
}
const none = { lacking: [], leaked: [] }

test('a command receives a few variables of the system, those of the settings, and its values', async () => {
  const declaration = {
    key: 'show',
    label: 'Show',
    parameters: [{ key: 'volume', label: 'Volume', type: 'number' as const, min: 0, max: 9 }],
  }
  const lines: string[] = []
  const commands = createDeclaredCommands([{ declaration, run: shows, seconds: 10 }], environment)
  await commands.run('show', { volume: 5 }, (line) => lines.push(line))
  expect(faultsOf(lines, 'HALL', 'PULT_VOLUME')).toEqual(none)
})

test('restarts, and programs that the agent keeps running, receive the same variables', async () => {
  const stateFolder = await temporaryFolder()
  const player = { key: 'player', label: 'Player', run: ['/bin/sh', '-c', 'env; sleep 600'] }
  const instances = createInstances(
    [
      { key: 'proxy', label: 'Proxy', restart: shows },
      { ...player, environment: { OWN: '1' } },
    ],
    { stateFolder, redact: [], environment },
  )
  const lines: string[] = []
  await instances.restart('proxy', (line) => lines.push(line))
  expect(faultsOf(lines, 'HALL')).toEqual(none)
  await instances.startProgram('player')
  const log = async () => (await instances.readLog('player', { after: 0 })).lines
  await expect.poll(async () => namesIn(await log())).toContain('PATH')
  await instances.stop()
  expect(faultsOf(await log(), 'HALL', 'OWN')).toEqual(none)
})

test('the reader of the journal and the command for units receive no variable of the agent', async () => {
  const shown = join(await temporaryFolder(), 'shown')
  const adopted = createAdopted({
    key: 'proxy',
    unit: 'proxy.service',
    log: createLogStore({ folder: join(await temporaryFolder(), 'log') }),
    logText: createLogText([]),
    systemctl: ['/bin/sh', '-c', 'env > "$0"; exit 1', shown],
    journalctl: ['/bin/sh', '-c', 'env'],
  })
  const { lines } = await adopted.log.read({ after: 0 })
  await adopted.close()
  expect(faultsOf(lines)).toEqual(none)
  await adopted.open()
  expect(faultsOf((await readFile(shown, 'utf8')).split('\n'))).toEqual(none)
})

test('Unitech/pm2#6073 an agent that another agent runs as a program enrols with its own code', async () => {
  const edge = { edge: '018f0000-0000-7000-8000-000000000000', label: 'Inner', token: 'a-token' }
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(edge)),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const inner = join(await temporaryFolder(), 'inner')
  const main = join(import.meta.dirname, 'main.ts')
  const run = [process.execPath, main, '--state', inner, '--server', url, '--code', 'ABCD']
  const stateFolder = await temporaryFolder()
  const instances = createInstances([{ key: 'agent', label: 'Agent', run }], { stateFolder, redact: [] })
  onTestFinished(() => instances.stop())
  await instances.startProgram('agent')
  const log = async () => (await instances.readLog('agent', { after: 0 })).lines.join('\n')
  await expect.poll(log).toContain(`This machine is now the edge "Inner" of ${url}`)
  expect(await readState(inner)).toMatchObject({ token: 'a-token' })
})
