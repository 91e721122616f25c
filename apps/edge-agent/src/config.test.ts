import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

async function read(content: object) {
  const file = join(await temporaryFolder(), 'config.json')
  await writeFile(file, JSON.stringify(content))
  return readConfig(file)
}
const instance = { key: 'player', label: 'Player' }

test('the settings name programs to run, units to adopt, and patterns to redact in logs', async () => {
  const program = { ...instance, run: ['player'], folder: '/srv', environment: { HALL: '3' }, memory: 64 }
  const unit = { key: 'proxy', label: 'Proxy', unit: 'nginx@3.service' }
  const { instances, redact } = await read({
    instances: [program, unit],
    logs: { redact: ['password=\\S+'] },
  })
  expect(instances).toEqual([program, unit])
  expect(redact).toEqual([/password=\S+/gu])
  expect((await read({})).redact).toEqual([])
})

test('the settings add variables to the environment of all programs', async () => {
  expect((await read({ environment: { HALL: 'North' } })).environment).toEqual({ HALL: 'North' })
  expect((await read({})).environment).toEqual({})
})

test.each([
  [
    'a program that is also a unit',
    { instances: [{ ...instance, run: ['a'], unit: 'b' }] },
    'more than one of',
  ],
  [
    'a program with a command that restarts it',
    { instances: [{ ...instance, run: ['a'], restart: ['b'] }] },
    'more than one of',
  ],
  ['a limit without a program', { instances: [{ ...instance, unit: 'a', memory: 64 }] }, 'without run'],
  ['a unit that is an option', { instances: [{ ...instance, unit: '--all' }] }, 'the name of a unit'],
  ['half a MiB', { instances: [{ ...instance, run: ['a'], memory: 0.5 }] }, 'a number of MiB'],
  ['an argument with NUL', { instances: [{ ...instance, run: ['a\0b'] }] }, 'is not usable'],
  ['a variable without a value', { environment: { HALL: null } }, 'environment.HALL'],
  ['an invalid pattern', { logs: { redact: ['('] } }, 'Invalid regular expression'],
])('%s is refused with its reason', async (_name, content, reason) => {
  await expect(read(content)).rejects.toThrow(reason)
})
