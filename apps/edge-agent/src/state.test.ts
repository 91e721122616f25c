import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readArguments } from './arguments.ts'
import { readConfig } from './config.ts'
import { runProgram } from './run-program.ts'
import { readState, takeNextState, writeNextState, writeState } from './state.ts'

const folder = await mkdtemp(join(tmpdir(), 'pult-edge-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const content = { server: 'https://pult.example.org', edge: 'e', token: 't', usedCode: 'c' }
const modeOf = async () => (await stat(join(folder, 'edge.json'))).mode & 0o777

test('only the owner can read the token’s file, even after another user has opened it to others', async () => {
  expect(await readState(folder)).toBeUndefined()
  await writeState(folder, content)
  expect(await modeOf()).toBe(0o600)
  await chmod(join(folder, 'edge.json'), 0o644)
  expect(await readState(folder)).toEqual(content)
  expect(await modeOf()).toBe(0o600)
  await writeFile(join(folder, 'edge.json'), '{"token":')
  await expect(readState(folder)).rejects.toMatchObject({ exitCode: 78 })
})

test('wazuh/wazuh#38603 a worker that stores its state late does not undo the enrolment as another edge', async () => {
  await writeState(folder, content)
  const next = { ...content, token: 'next' }
  await writeNextState(folder, next)
  await writeState(folder, { ...content, enrolment: 'proof' })
  expect(await readState(folder)).toEqual(next)
  await takeNextState(folder)
  await takeNextState(folder)
  expect(JSON.parse(await readFile(join(folder, 'edge.json'), 'utf8'))).toEqual(next)
  await writeState(folder, content)
  expect(await readState(folder)).toEqual(content)
})

test('programs start without a shell, so their arguments have no special characters', async () => {
  const file = join(folder, 'made')
  const ended = await runProgram(['printf', '%s', `$(touch ${file}); \`id\` | cat`], { timeout: 5000 })
  expect(ended).toMatchObject({ code: 0, lines: [`$(touch ${file}); \`id\` | cat`], reason: undefined })
  await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await runProgram(['sh', '-c', 'exit 3'], { timeout: 5000 })).toMatchObject({
    code: 3,
    reason: 'it exited with code 3',
  })
  expect(await runProgram(['sleep', '5'], { timeout: 100 })).toMatchObject({
    code: null,
    reason: 'it took longer than 0.1 s',
  })
  expect((await runProgram(['/nowhere'], { timeout: 100 })).code).toBeNull()
})

test('an error in settings or arguments names the mistake', async () => {
  const file = join(folder, 'config.json')
  expect(await readConfig(file)).toEqual({ instances: [], commands: [], environment: {}, redact: [] })
  const write = (instances: object[]) => writeFile(file, JSON.stringify({ instances }))
  const player = { key: 'player', label: 'Player' }
  for (const instances of [
    [{ ...player, key: 'Not A Key' }],
    [{ ...player, label: 'half \ud800' }],
    [{ ...player, restart: 'systemctl restart player' }],
    [{ ...player, restart: [] }],
    [player, player],
  ]) {
    await write(instances)
    await expect(readConfig(file)).rejects.toMatchObject({ exitCode: 78 })
  }
  await write([{ ...player, restart: ['systemctl', 'restart', 'player'] }])
  expect((await readConfig(file)).instances).toHaveLength(1)
  expect(() => readArguments(['--server', 'ftp://x'], {}, false)).toThrow('--server must be an address')
  expect(() => readArguments(['--what'], {}, false)).toThrow('--help')
  const given = readArguments(['--server', 'https://a.example/path'], { STATE_DIRECTORY: '/s:/t' }, false)
  expect(given).toMatchObject({
    server: 'https://a.example',
    stateFolder: '/s',
    configFile: '/s/config.json',
  })
})
