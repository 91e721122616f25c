import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'

const folder = await mkdtemp(join(tmpdir(), 'pult-supervise-'))
afterAll(() => rm(folder, { recursive: true }))
const module = join(import.meta.dirname, 'supervise.mjs')

/** Supervises a program with short pauses. */
async function supervised(program: string) {
  const path = join(folder, `${Math.random()}.mjs`)
  await writeFile(path, program)
  const main = `const { supervise } = await import(${JSON.stringify(module)})
    process.exit(await supervise([${JSON.stringify(path)}], { pauses: [10, 20], steadyAfter: 60_000 }))`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', main], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [parent.stdout, parent.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  onTestFinished(() => void parent.kill('SIGKILL'))
  const pids = () => [...output.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid))
  // Waits for `close`, so that the output is complete.
  const exited = once(parent, 'close') as Promise<[number | null]>
  return { parent: parent as ChildProcess, pids, output: () => output, exited }
}

// The program handles signals before it prints its line.
const serving = `
  process.on('SIGTERM', () => { console.log('stopped'); process.exit(0) })
  setInterval(() => {}, 1000)
  process.send('ready')
  console.log('pid ' + process.pid)`

test('RULE-80 a killed program restarts, and a signal stops it without a restart', async () => {
  const { parent, pids, output, exited } = await supervised(serving)
  await expect.poll(pids).toHaveLength(1)
  process.kill(pids()[0] ?? 0, 'SIGKILL')
  await expect.poll(pids).toHaveLength(2)
  await expect.poll(output).toContain('Pult ended by SIGKILL. It will restart in 0.01 s.')
  parent.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  expect(output()).toContain('stopped')
  expect(pids()).toHaveLength(2)
})

test('the supervisor stops restarting a program that crashes repeatedly, and reports the reason', async () => {
  const { pids, output, exited } = await supervised(`${serving}\nsetTimeout(() => process.exit(3), 20)`)
  expect(await exited).toEqual([1, null])
  expect(pids()).toHaveLength(3)
  expect(output()).toContain(
    'Pult ended 3 times in a row, most recently with exit code 3. It will not restart.',
  )
})

test('a failed first start is not repeated', async () => {
  const { pids, exited } = await supervised(`console.log('pid ' + process.pid)\nprocess.exit(2)`)
  expect(await exited).toEqual([2, null])
  expect(pids()).toHaveLength(1)
})

test('a program that only the operator can fix does not restart, not even after it was ready', async () => {
  const { pids, output, exited } = await supervised(`${serving}\nsetTimeout(() => process.exit(78), 20)`)
  expect(await exited).toEqual([78, null])
  expect(pids()).toHaveLength(1)
  expect(output()).not.toContain('restart')
})
