import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createDeclaredCommands } from './declared-commands.ts'
import { createInstances } from './instances.ts'
import { createAdopted } from './programs/adopted.ts'
import { createLogStore } from './programs/log-store.ts'
import { createLogText } from './programs/log-text.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const variables = {
  LANG: 'de_DE.UTF-8',
  LC_TIME: 'C',
  DISPLAY: ':7',
  EDGE_TEST_PASSWORD: 'secret-of-the-agent',
  PULT_EDGE_WORKER: '1',
  STATE_DIRECTORY: '/var/lib/pult-edge',
  NODE_OPTIONS: '--no-warnings',
}
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
    lacking: ['PATH', 'LANG', 'LC_TIME', 'DISPLAY', ...more].filter((name) => !names.includes(name)),
    leaked: ['EDGE_TEST_PASSWORD', 'STATE_DIRECTORY', 'NODE_OPTIONS', 'PULT_EDGE_WORKER'].filter((name) =>
      names.includes(name),
    ),
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

test('the reader of the journal receives no variable of the agent', async () => {
  const adopted = createAdopted({
    key: 'proxy',
    unit: 'proxy.service',
    log: createLogStore({ folder: join(await temporaryFolder(), 'log') }),
    logText: createLogText([]),
    journalctl: ['/bin/sh', '-c', 'env'],
  })
  const { lines } = await adopted.log.read({ after: 0 })
  await adopted.close()
  expect(faultsOf(lines)).toEqual(none)
})
