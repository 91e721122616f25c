import { execFile, spawn } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { sized } from '@pult/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createInstances } from './instances.ts'
import { runProgram } from './run-program.ts'
import { paths } from './silent-paths.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const module = pathToFileURL(join(import.meta.dirname, 'run-program.ts')).href

async function script(text: string, mode = 0o700) {
  const folder = await temporaryFolder()
  const file = join(folder, 'program')
  await writeFile(file, text)
  await chmod(file, mode)
  return { folder, file, read: (name: string) => readFile(join(folder, name), 'utf8').catch(() => '') }
}

const isRunning = async (pid: string) => {
  const stat = await readFile(`/proc/${pid.trim()}/stat`, 'utf8').catch(() => '')
  return stat !== '' && !stat.includes(') Z ')
}

const endAfterTest = (pid: string) =>
  onTestFinished(() => void spawn('kill', ['-KILL', pid.trim()], { stdio: 'ignore' }))

/** A program that leaves a player in the background, which writes lines of 1,000 characters and counts them in bytes. */
const player = (folder: string) => `#!/bin/sh
line=$(printf %01000d 0)
( while :; do echo $line; echo >> ${folder}/writes; done ) &
echo $! > ${folder}/pid
echo started
`

/** Far more than a pipe holds. */
const manyLines = 1000

test('nodejs/node#5637 a restart ends with the exit of its program, and the player that it leaves keeps running', async () => {
  const { folder, file, read } = await script('')
  await writeFile(file, player(folder))
  const instances = createInstances(
    [{ key: 'player', label: 'Player', restart: [file], status: ['/bin/true'] }],
    { stateFolder: folder, redact: [] },
  )
  const lines: string[] = []
  expect(await instances.restart('player', (line) => lines.push(line))).toBe('Player was restarted.')
  expect(lines[0]).toBe(`$ ${file}`)
  const pid = await read('pid')
  endAfterTest(pid)
  await expect.poll(async () => (await read('writes')).length, { timeout: 30_000 }).toBeGreaterThan(manyLines)
  expect(await isRunning(pid)).toBe(true)
})

test('nodejs/node#5637 a player in the background survives the end of the agent that has started it', async () => {
  const { folder, file, read } = await script('')
  await writeFile(file, player(folder))
  const agent = `const { runProgram } = await import('${module}')
    const { code } = await runProgram(['${file}'], { timeout: 60_000, leavesProcesses: true })
    process.exit(code)`
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', agent])
  const pid = await read('pid')
  endAfterTest(pid)
  const before = (await read('writes')).length
  await expect
    .poll(async () => (await read('writes')).length, { timeout: 30_000 })
    .toBeGreaterThan(before + manyLines)
  expect(await isRunning(pid)).toBe(true)
})

test('a program that writes 60,000 lines ends with 0 and its last 40 lines', async () => {
  const { file } = await script('#!/bin/sh\nseq 60000; seq 60000 >&2; echo last\n')
  const { code, lines, reason } = await runProgram([file], { timeout: 60_000 })
  expect({ code, reason, count: lines.length }).toEqual({ code: 0, reason: undefined, count: 40 })
  expect(lines).toContain('last')
})

test('patternfly/patternfly-react#6003 the output of a program is read as a terminal shows it', async () => {
  const { file } = await script(`#!/bin/sh
printf '1 %%\\r2 %%\\r3 %%\\n'
printf '\\033[31mred\\033[0m\\r\\n'
printf '${'a'.repeat(99)}😀${'b'.repeat(1000)}end\\n'
printf 'Password: '
`)
  expect((await runProgram([file], { timeout: 60_000 })).lines).toEqual([
    '3 %',
    'red',
    `${'a'.repeat(99)}  … (704 more characters) … ${'b'.repeat(297)}end`,
    'Password:',
  ])
})

test('a program that waits at its prompt until its timeout has the prompt in its output', async () => {
  const { file } = await script('#!/bin/sh\nprintf "Delete all? [y/N] "\nexec sleep 600\n')
  expect(await runProgram([file], { timeout: 1000 })).toMatchObject({
    lines: ['Delete all? [y/N]'],
    reason: 'it took longer than 1 s',
  })
})

test('a process in the background that writes 60,000 lines can write all of them', async () => {
  const { folder, file, read } = await script('')
  await writeFile(file, `#!/bin/sh\n( sleep 0.2; seq 60000; echo end > ${folder}/done ) &\n`)
  expect(await runProgram([file], { timeout: 60_000, leavesProcesses: true })).toMatchObject({ code: 0 })
  await expect.poll(() => read('done')).toBe('end\n')
})

test('a program whose processes must not stay is killed with them at its exit and at its timeout', async () => {
  const { folder, file, read } = await script('')
  await writeFile(file, `#!/bin/sh\nsleep 600 &\necho $! > ${folder}/pid\nexit 3\n`)
  expect(await runProgram([file], { timeout: 60_000 })).toMatchObject({
    code: 3,
    reason: 'it exited with code 3',
  })
  expect(Number(await read('pid'))).toBeGreaterThan(0)
  await expect.poll(async () => isRunning(await read('pid'))).toBe(false)
  await writeFile(file, `#!/bin/sh\nsleep 600 &\necho $! > ${folder}/pid\necho waits; wait\n`)
  expect(await runProgram([file], { timeout: 1000, leavesProcesses: true })).toMatchObject({
    code: null,
    lines: ['waits'],
    reason: 'it took longer than 1 s',
  })
  await expect.poll(async () => isRunning(await read('pid'))).toBe(false)
})

test('a program that cannot start has a reason in words', async () => {
  const { folder, file } = await script('#!/bin/sh\n', 0o600)
  const reasonFor = async (...program: string[]) => (await runProgram(program, { timeout: 1000 })).reason
  expect(await reasonFor(join(folder, 'none'))).toBe(`${folder}/none does not exist (ENOENT)`)
  expect(await reasonFor(file)).toBe(`${file} may not be executed by the user of the agent (EACCES)`)
  expect(await reasonFor(folder)).toBe(`${folder} may not be executed by the user of the agent (EACCES)`)
  expect(await reasonFor('/bin/echo', 'x'.repeat(3_000_000))).toBe(
    '/bin/echo cannot start: its arguments and environment are too long (E2BIG)',
  )
})

test('an agent without free handles reports it, and starts programs again when it has some', async () => {
  const agent = `const { openSync, closeSync } = await import('node:fs')
    const { runProgram } = await import('${module}')
    const { createSupervised } = await import('${module.replace('run-program', 'programs/supervised')}')
    const log = { add: console.log, drained: () => undefined, close: async () => {} }
    const notes = { killRemaining: async () => {}, isStopped: async () => false, started: async () => {} }
    const opened = []
    try { for (;;) opened.push(openSync('/dev/null')) } catch {}
    const program = createSupervised({ settings: { key: 'a', label: 'A', run: ['true'] }, log, notes, logText: String })
    await program.open()
    console.log((await runProgram(['true'], { timeout: 5000 })).reason)
    for (const one of opened) closeSync(one)
    console.log((await runProgram(['true'], { timeout: 5000 })).code)
    process.exit(0)`
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    'ulimit -n 64; exec "$0" --input-type=module -e "$1"',
    process.execPath,
    agent,
  ])
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining(['true cannot start: the agent has too many open files (EMFILE)', '0']),
  )
})

/** Counts the handles of this process by kind, and its children. */
async function held() {
  const active = process.getActiveResourcesInfo().filter((name) => /Process|Pipe|Timeout/.test(name))
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')
  const handles = (await readdir('/proc/self/fd')).length
  return { handles, children: children.split(' ').length, active: active.length }
}

test('1,000 faults of programs leave no handle, pipe, child or timer', { tags: ['long'] }, async () => {
  const { folder, file } = await script('#!/bin/sh\n( sleep 0.3; seq 100 ) &\nexit 1\n')
  const garbage = join(folder, 'garbage')
  await writeFile(garbage, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]), { mode: 0o700 })
  const sh = (text: string) => ['/bin/sh', '-c', text]
  // Processes that have left the group of their program are not killed with it. They hold its output.
  const escaped = join(folder, 'escaped')
  onTestFinished(async () => {
    for (const pid of (await readFile(escaped, 'utf8')).trim().split('\n'))
      process.kill(Number(pid), 'SIGKILL')
  })
  const { signal } = new AbortController()
  // Longer than the test: a timer that is left must not end before it.
  const timeout = 3_600_000
  const faults: (readonly [string[], Parameters<typeof runProgram>[1]])[] = [
    [[join(folder, 'none')], { timeout, signal }],
    [[folder], { timeout, signal }],
    [[garbage], { timeout, signal }],
    [sh('kill -9 $$'), { timeout, signal }],
    [sh('seq 20000'), { timeout, signal }],
    [sh('exec sleep 600'), { timeout: 50, signal }],
    [sh('yes & wait'), { timeout: 50, signal }],
    [sh('sleep 600 &'), { timeout, signal }],
    [
      sh(`setsid sh -c 'echo $$ >> ${escaped}; exec sleep 3600' &
        until grep -q "^$!$" ${escaped} 2>/dev/null; do sleep 0.01; done`),
      { timeout, signal },
    ],
    [[file], { timeout, leavesProcesses: true, signal }],
    [['/bin/echo', 'x'.repeat(3_000_000)], { timeout, signal }],
  ]
  const runAll = async () => {
    const ended = await Promise.all(faults.map(([program, options]) => runProgram(program, options)))
    await Promise.all(ended.map(({ gone }) => gone))
  }
  await runAll()
  await expect.poll(held).toEqual(await steady())
  const before = await steady()
  for (let round = 0; round < sized(20, 100); round += 1) await runAll()
  await expect.poll(held, { timeout: 30_000 }).toEqual(before)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

/** Waits until two counts in succession are the same. */
async function steady() {
  let last = await held()
  await expect
    .poll(async () => {
      const next = await held()
      const isSame = JSON.stringify(next) === JSON.stringify(last)
      last = next
      return isSame && next.children <= 1
    })
    .toBe(true)
  return last
}

test('ncpa#757 a program whose mount does not answer is not started, and other mounts are asked on their own', async () => {
  const { file, read } = await script('#!/bin/sh\ntouch "$(dirname "$0")/ran"\n')
  const silence = Promise.withResolvers<void>()
  const stat = vi.spyOn(paths, 'stat')
  stat.mockImplementation((path) => (path.startsWith('/proc/') ? Promise.resolve() : silence.promise))
  onTestFinished(() => {
    silence.resolve()
    stat.mockRestore()
  })
  const run = (path: string) => runProgram([path], { timeout: 30_000 })
  expect(await run(file)).toMatchObject({
    code: null,
    reason: `${file} does not answer: its mount may be away`,
  })
  expect((await run('/proc/nothing')).reason).toBe('/proc/nothing does not exist (ENOENT)')
  expect(await read('ran')).toBe('')
})
