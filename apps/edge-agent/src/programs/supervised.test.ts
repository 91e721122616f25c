import { mkdir, readdir, readFile } from 'node:fs/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { paths } from '../silent-paths.ts'
import { isAlive } from '../testing/is-alive.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { createLogStore } from './log-store.ts'
import { createLogText } from './log-text.ts'
import { createProgramNotes } from './program-notes.ts'
import { createSupervised, type Pauses, type SupervisedSettings } from './supervised.ts'

interface Options extends Partial<SupervisedSettings> {
  pauses?: Partial<Pauses>
  redact?: readonly RegExp[]
  stateFolder?: string
}

async function supervise(script: string, { pauses, redact = [], stateFolder, ...settings }: Options = {}) {
  const folder = stateFolder ?? (await temporaryFolder())
  const program = createSupervised({
    settings: { key: 'player', label: 'Player', run: ['/bin/sh', '-c', script], ...settings },
    log: createLogStore({ folder: `${folder}/logs` }),
    logText: createLogText(redact),
    notes: createProgramNotes(folder),
    pauses: { first: 1, longest: 10, ...pauses },
  })
  onTestFinished(() => program.close())
  const lines = async () =>
    (await program.log.read({ after: 0 })).lines.map((line) => line.slice('2026-01-31T09:12:04.120Z '.length))
  const own = async () => (await lines()).filter((line) => !line.startsWith('[agent]'))
  return { program, folder, lines, own }
}

test('a program starts with its folder and environment; a stop ends it and its processes', async () => {
  const environment = { HALL: 'North' }
  const script = 'sleep 600 & echo $HALL $PWD $!; wait'
  const { program, own, folder } = await supervise(script, { folder: '/', environment })
  await program.open()
  await expect.poll(own).toHaveLength(1)
  const [hall, where, pid] = (await own())[0]?.split(' ') ?? []
  expect([hall, where]).toEqual(['North', '/'])
  expect(program.state()).toBe('running')
  expect(program.report()).toMatchObject({ restarts: 0, lastExit: null })
  await program.stop()
  expect(program.state()).toBe('stopped')
  await expect.poll(() => isAlive(Number(pid))).toBe(false)
  // The next agent does not start it.
  const next = await supervise(script, { stateFolder: folder })
  await next.program.open()
  expect(next.program.state()).toBe('stopped')
  await next.program.start()
  expect(next.program.state()).toBe('running')
})

test('a program whose shell ends first has the whole time to stop, and is killed afterwards', async () => {
  // The second command keeps the shell, which would otherwise become the program.
  const after = (onStop: string) =>
    `/bin/sh -c 'trap "${onStop}" TERM; echo up; while :; do sleep 0.1; done'; true`
  const stateFolder = await temporaryFolder()
  const saving = await supervise(after(`sleep 1; echo saved > ${stateFolder}/saved; exit 0`), { stateFolder })
  await saving.program.open()
  await expect.poll(saving.own).toEqual(['up'])
  await saving.program.stop()
  expect(await readdir(stateFolder)).toContain('saved')
  const hanging = await supervise(after('echo ignored'), { pauses: { stop: 500 } })
  await hanging.program.open()
  await expect.poll(hanging.own).toEqual(['up'])
  const from = performance.now()
  await hanging.program.stop()
  expect(performance.now() - from).toBeGreaterThan(400)
  expect(await hanging.own()).toContain('ignored')
})

test('a program whose folder does not answer is tried again, and the agent does not wait for it, ncpa#757', async () => {
  const asked: string[] = []
  let answer = () => {}
  const stat = vi.spyOn(paths, 'stat').mockImplementation((path) => {
    asked.push(path)
    return new Promise<void>((resolve) => {
      answer = resolve
    })
  })
  onTestFinished(() => stat.mockRestore())
  const { program, own } = await supervise('echo up; sleep 600', { folder: '/' })
  await program.open()
  expect(program.state()).toBe('stopped')
  expect(program.report().lastExit?.reason).toBe('/ does not answer: its mount may be away')
  // The retries wait for the same call: each further one would take a thread.
  await expect.poll(() => program.report().restarts, { timeout: 10_000 }).toBeGreaterThan(1)
  expect(asked).toEqual(['/'])
  stat.mockResolvedValue(undefined)
  answer()
  await expect.poll(own, { timeout: 10_000 }).toEqual(['up'])
})

test('a stop during the start of a program whose folder does not answer is final', async () => {
  const answer = Promise.withResolvers<void>()
  const stat = vi.spyOn(paths, 'stat').mockReturnValue(answer.promise)
  onTestFinished(() => stat.mockRestore())
  const { program, lines } = await supervise('sleep 600', { folder: '/' })
  await program.open()
  await expect.poll(() => program.report().restarts).toBe(1)
  await program.stop()
  answer.resolve()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(program.state()).toBe('stopped')
  expect((await lines()).filter((line) => line.includes('Started'))).toEqual([])
})

test('a program that always exits immediately restarts with growing pauses and never counts as running', async () => {
  const { program, lines } = await supervise('sleep 0.05; exit 3')
  await program.open()
  const states = new Set<string>()
  await expect
    .poll(() => {
      if (program.report().restarts > 0) states.add(program.state())
      return program.report().restarts
    })
    .toBeGreaterThan(5)
  expect([...states]).toEqual(['stopped'])
  expect(program.report().lastExit).toEqual({ code: 3, signal: null, reason: null })
  const pauses = (await lines()).flatMap((line) => /It restarts in (.*) s/.exec(line)?.[1] ?? [])
  expect(pauses.slice(0, 6)).toEqual(['0.001', '0.002', '0.004', '0.008', '0.01', '0.01'])
  await program.stop()
  expect(program.state()).toBe('stopped')
})

test('a program that cannot start, was killed or uses too much memory has a reason', async () => {
  const missing = await supervise('', { run: ['/no/such/program'] })
  await missing.program.open()
  await expect.poll(() => missing.program.report().lastExit?.reason).toContain('ENOENT')
  const killed = await supervise('kill -9 $$')
  await killed.program.open()
  await expect
    .poll(() => killed.program.report().lastExit)
    .toEqual({ code: null, signal: 'SIGKILL', reason: null })
  const hungry = await supervise('', {
    run: [process.execPath, '-e', 'const all = Buffer.alloc(9e7, 1); setTimeout(() => all, 1e6)'],
    memory: 64,
    pauses: { memory: 20 },
  })
  await hungry.program.open()
  await expect.poll(() => hungry.program.report().lastExit?.reason).toMatch(/^It used \d+ of 64 MiB$/)
})

test('a program whose folder is missing, or that the system cannot start, restarts with the reason', async () => {
  const moved = await supervise('', { folder: '/no/such/folder' })
  await moved.program.open()
  await expect
    .poll(() => moved.program.report())
    .toMatchObject({
      lastExit: { code: null, signal: null, reason: 'The folder /no/such/folder does not exist' },
    })
  const huge = await supervise('', { run: ['/bin/echo', 'x'.repeat(3_000_000)] })
  await huge.program.open()
  await expect.poll(() => huge.program.report().restarts).toBeGreaterThan(1)
  expect(huge.program.report().lastExit?.reason).toContain('(E2BIG)')
})

test('a program whose agent was killed ends before the next agent starts it', async () => {
  const { program, own, folder } = await supervise('echo $$; exec sleep 600')
  await program.open()
  await expect.poll(own).toHaveLength(1)
  const pid = Number((await own())[0])
  await expect.poll(() => readFile(`${folder}/programs.json`, 'utf8').catch(() => '')).toContain(`${pid}`)
  await createProgramNotes(folder).killRemaining('player')
  await expect.poll(() => program.report().lastExit?.signal).toBe('SIGKILL')
  expect(isAlive(pid)).toBe(false)
})

test('a program that fills the disk stops, and the answer names that the next agent starts it', async () => {
  const { program, own, folder } = await supervise('echo $$; exec sleep 600')
  await program.open()
  await expect.poll(own).toHaveLength(1)
  const pid = Number((await own())[0])
  await expect.poll(() => readFile(`${folder}/programs.json`, 'utf8').catch(() => '')).toContain(`${pid}`)
  await mkdir(`${folder}/programs.json.next`)
  await expect(program.stop()).rejects.toThrow(/^Player was stopped, but starts again with the agent: /)
  expect(program.state()).toBe('stopped')
  expect(isAlive(pid)).toBe(false)
  // It starts without a note.
  await program.start()
  expect(program.state()).toBe('running')
})

test('an agent that ends notes that its program has ended', async () => {
  const { program, folder } = await supervise('exec sleep 600')
  const noted = async () => JSON.parse(await readFile(`${folder}/programs.json`, 'utf8').catch(() => 'null'))
  await program.open()
  await expect.poll(noted).toMatchObject({ player: { process: { pid: expect.any(Number) } } })
  await program.close()
  expect(await noted()).toEqual({ player: { isStopped: false, process: null } })
})

test('a line of 1 MB is cut, binary output becomes text, and colours are removed', async () => {
  const script = `
    process.stdout.write('x'.repeat(1e6) + '\\nafter\\n\\u001b[31mred\\u001b[0m\\n')
    process.stdout.write(Buffer.from([0, 1, 2, 255, 254, 10, 0xc3, 0xa9, 10]))
    setTimeout(() => {}, 1e6)`
  const { program, own } = await supervise('', { run: [process.execPath, '-e', script] })
  await program.open()
  await expect.poll(own).toHaveLength(5)
  const [long = '', ...others] = await own()
  expect(long.length).toBeLessThan(2100)
  expect(long).toMatch(/^… \(998000 more characters\) … x{2000}$/)
  expect(others).toEqual(['after', 'red', '   \ufffd\ufffd', 'é'])
})

test('text that a pattern matches reaches no answer and no file, even across the cut', async () => {
  const secret = 'password=hunter2'
  const script = `
    console.log('login ${secret} ok')
    for (const zeros of [490, 495, 500]) console.log('0'.repeat(zeros) + '${secret} ' + '0'.repeat(1495))
    // Of longer lines only the end is read, which begins within a secret.
    for (const more of [16375, 16378]) console.log('${secret} password=' + 'x'.repeat(more - 10))
    setTimeout(() => {}, 1e6)`
  const { program, own } = await supervise('', {
    run: [process.execPath, '-e', script],
    redact: [/password=\S+/gu],
  })
  await program.open()
  await expect.poll(own).toHaveLength(6)
  const [login, ...others] = await own()
  expect(login).toBe('login [redacted] ok')
  for (const line of others) expect(line).not.toMatch(/passw|hunter|nter2|ter2/)
})

test('HandBrake/HandBrake#1067 a progress and a prompt of a running program are visible', async () => {
  const progress = 'n=0; while :; do n=$((n+1)); printf "frame=$n fps=25\\r"; sleep 0.05; done'
  const running = await supervise(progress)
  const waiting = await supervise('printf "Password: "; exec sleep 600')
  await running.program.open()
  await waiting.program.open()
  await expect.poll(running.own).toContainEqual(expect.stringMatching(/^frame=\d+ fps=25$/))
  await expect.poll(waiting.own).toEqual(['Password: '])
})

test('a program that writes endlessly is slowed down, and its newest lines can be read', async () => {
  const { program, own } = await supervise('yes "a line of a program that never ends"')
  const from = performance.now()
  await program.open()
  await expect.poll(async () => (await own()).length).toBeGreaterThan(500)
  const { first } = await program.log.read({ after: 0 })
  expect(first).toBeLessThan(((performance.now() - from) / 1000 + 2) * 15_000)
  await program.stop()
})
