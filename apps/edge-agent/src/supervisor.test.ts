import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { exitCodes } from './exit-codes.ts'
import { createInstalled, readPointer, storeFile } from './installed.ts'
import { supervise } from './supervisor.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** Returns the file of a worker that appends its name to the trace and then runs the script. */
const worker = (name: string, script: string) =>
  Buffer.from(`
import { appendFileSync } from 'node:fs'
appendFileSync(process.argv[2], '${name} ')
const send = (message) => new Promise((resolve) => { process.once('message', resolve); process.send(message) })
${script}
`)
const healthy = `await send({ type: 'healthy' })`
const reached = `process.send({ type: 'reached' })`
const stop = 'process.exit(0)'
const restart = 'process.exit(75)'
const sha = (content: Buffer) => createHash('sha256').update(content).digest('hex')

async function machine(installed = worker('installed', stop)) {
  const stateFolder = await mkdtemp(join(tmpdir(), 'pult-supervisor-'))
  folders.push(stateFolder)
  const [file, trace] = [join(stateFolder, 'installed.mjs'), join(stateFolder, 'trace')]
  await writeFile(file, installed)
  const chosen = createInstalled(stateFolder, '2.4.0')
  const files = () => readdir(join(stateFolder, 'agent'))
  return {
    stateFolder,
    files,
    pointer: () => readPointer(stateFolder),
    async stage(version: string, content: Buffer) {
      await storeFile(stateFolder, sha(content), content)
      await chosen.tryNext({ version, sha256: sha(content) })
    },
    /** Returns the names of the workers that ran. */
    async run(
      version = '2.4.0',
      trialTime = 20_000,
      stopTime = 20_000,
      replaced?: (trace: string) => Promise<boolean>,
    ) {
      await writeFile(trace, '')
      const given = { trialTime, stopTime, ...(replaced && { replaced: replaced(trace) }) }
      const code = await supervise({ file, version, args: [trace], stateFolder, ...given })
      return { code, ran: (await readFile(trace, 'utf8')).trim().split(' ') }
    },
  }
}

test('a healthy trial becomes current, even after a reboot, and the previous file is deleted', async () => {
  const there = await machine()
  await there.stage('2.5.0', worker('second', `${healthy}; ${stop}`))
  expect(await there.run()).toEqual({ code: exitCodes.stopped, ran: ['second'] })
  expect((await there.run()).ran).toEqual(['second'])
  const third = worker('third', `${healthy}; ${stop}`)
  await there.stage('2.6.0', third)
  expect((await there.run()).ran).toEqual(['third'])
  expect((await there.files()).toSorted()).toEqual([`${sha(third)}.mjs`, 'current.json'].toSorted())
  expect(await there.pointer()).toMatchObject({ current: { version: '2.6.0' }, trial: null, failed: null })
})

test.each([
  ['ends immediately', 'process.exit(0)', 'It exited with code 0 before it had reported'],
  ['cannot be loaded', 'await import("nowhere")', 'It exited with code 1 before it had reported'],
  ['has no state', 'process.exit(77)', 'It exited with code 77 before it had reported'],
  ['restarts', restart, 'It exited with code 75 before it had reported'],
  ['is killed', 'process.kill(process.pid, "SIGKILL")', 'It was killed before it had reported'],
])(
  'a trial that %s is replaced by the former file, which receives the reason',
  async (_name, script, reason) => {
    const there = await machine()
    await there.stage('2.5.0', worker('good', `${healthy}; ${stop}`))
    await there.run()
    await there.stage('2.6.0', worker('bad', script))
    expect((await there.run()).ran).toEqual(['bad', 'good'])
    expect(await there.pointer()).toMatchObject({
      current: { version: '2.5.0' },
      trial: null,
      failed: { version: '2.6.0', reason },
      newest: '2.6.0',
    })
    expect(await there.files()).toHaveLength(2)
    expect((await there.run()).ran).toEqual(['good'])
  },
)

test('a trial that is alive but does not report in time is ended', async () => {
  const there = await machine()
  await there.stage('2.5.0', worker('silent', `${reached}; setInterval(() => {}, 1000)`))
  expect((await there.run('2.4.0', 1000)).ran.at(-1)).toBe('installed')
  expect((await there.pointer()).failed?.reason).toBe('It was not admitted or had not reported after 1 s')
})

/** Runs after SIGTERM, in a worker that would run forever. */
const onTerm = (script: string) =>
  `process.on('SIGTERM', async () => { ${script} }); ${reached}; setInterval(() => {}, 1000)`

test.each([
  [
    'ends its programs',
    `appendFileSync(process.argv[2], 'ended '); ${stop}`,
    ['trial', 'ended', 'installed'],
  ],
  ['reports at its end', `process.send({ type: 'healthy' }, () => process.exit(0))`, ['trial', 'installed']],
])('a late trial is asked to end, %s and is not used', async (_name, script, ran) => {
  const there = await machine()
  await there.stage('2.5.0', worker('trial', onTerm(script)))
  expect((await there.run('2.4.0', 1000)).ran).toEqual(ran)
  expect(await there.pointer()).toMatchObject({
    current: null,
    failed: { version: '2.5.0', reason: 'It was not admitted or had not reported after 1 s' },
  })
})

test('a late trial that does not end is killed', async () => {
  const there = await machine()
  await there.stage('2.5.0', worker('trial', onTerm('')))
  expect((await there.run('2.4.0', 1000, 200)).ran).toEqual(['trial', 'installed'])
  expect((await there.pointer()).failed?.version).toBe('2.5.0')
})

test('mendersoftware/meta-mender#285 a trial that does not reach the server waits until the former file does', async () => {
  const there = await machine(worker('installed', `${reached}; setInterval(() => {}, 1000)`))
  const dials = `
    const { existsSync, writeFileSync } = await import('node:fs')
    const mark = process.argv[2] + '.dialled'
    if (existsSync(mark)) { ${reached}; ${healthy}; ${stop} }
    writeFileSync(mark, '')
    setInterval(() => {}, 1000)`
  await there.stage('2.5.0', worker('trial', dials))
  expect((await there.run('2.4.0', 1000)).ran).toEqual(['trial', 'installed', 'trial'])
  expect(await there.pointer()).toMatchObject({ current: { version: '2.5.0' }, trial: null, failed: null })
})

test('a trial that never reaches the server, while the former file does, is rejected after three starts', async () => {
  const there = await machine(
    worker(
      'installed',
      `const { readFileSync } = await import('node:fs')
       const trace = readFileSync(process.argv[2], 'utf8')
       if (trace.split('trial').length > 3 && trace.endsWith('trial installed installed ')) ${stop}
       ${reached}
       setInterval(() => {}, 1000)`,
    ),
  )
  const silent = worker('trial', 'setInterval(() => {}, 1000)')
  await there.stage('2.5.0', silent)
  expect((await there.run('2.4.0', 500)).ran).toEqual([
    'trial',
    'installed',
    'trial',
    'installed',
    'trial',
    'installed',
    'installed',
  ])
  expect((await there.pointer()).failed?.version).toBe('2.5.0')
})

test('a worker hands over a file and the supervisor starts it', async () => {
  const next = worker('next', `${healthy}; ${stop}`)
  const message = { type: 'try', version: '2.5.0', sha256: sha(next) }
  const there = await machine(
    worker(
      'installed',
      `const { mkdirSync, writeFileSync } = await import('node:fs')
       const folder = import.meta.dirname + '/agent'
       mkdirSync(folder, { recursive: true })
       writeFileSync(folder + '/${sha(next)}.mjs', ${JSON.stringify(next.toString())})
       await send(${JSON.stringify(message)})
       ${restart}`,
    ),
  )
  expect((await there.run()).ran).toEqual(['installed', 'next'])
})

test('a trial that loses power three times is rejected', async () => {
  const there = await machine()
  await there.stage('2.5.0', worker('trial', `${healthy}; ${stop}`))
  const chosen = createInstalled(there.stateFolder, '2.4.0')
  for (let start = 0; start < 3; start += 1) expect((await chosen.choose())?.isTrial).toBe(true)
  expect(await chosen.choose()).toBeUndefined()
  expect((await there.pointer()).failed?.version).toBe('2.5.0')
})

test.each([
  [
    'a damaged file',
    async (folder: string) => {
      const name = (await readdir(folder)).find((each) => each.endsWith('.mjs')) ?? ''
      await writeFile(join(folder, name), 'console.log(1)')
    },
  ],
  [
    'a missing file',
    async (folder: string) => {
      for (const name of await readdir(folder)) if (name.endsWith('.mjs')) await rm(join(folder, name))
    },
  ],
  ['a damaged pointer', (folder: string) => writeFile(join(folder, 'current.json'), '{"current":')],
  ['an empty pointer', (folder: string) => writeFile(join(folder, 'current.json'), '')],
  ['a missing folder', (folder: string) => rm(folder, { recursive: true })],
])('the file of the installation starts instead of %s', async (_name, damage) => {
  for (const isTrial of [true, false]) {
    const there = await machine()
    await there.stage('2.5.0', worker('newer', `${healthy}; ${stop}`))
    if (!isTrial) await there.run()
    await damage(join(there.stateFolder, 'agent'))
    expect((await there.run()).ran).toEqual(['installed'])
  }
})

test('a newer file of the installation takes precedence over the one in the state folder', async () => {
  const there = await machine()
  await there.stage('2.5.0', worker('newer', `${healthy}; ${stop}`))
  await there.run()
  expect((await there.run('2.6.0')).ran).toEqual(['installed'])
})

test('a trial whose start cannot be counted does not start: the former file runs on a read-only disk', async () => {
  const there = await machine()
  await there.stage('2.5.0', worker('good', `${healthy}; ${stop}`))
  await there.run()
  await there.stage('2.6.0', worker('trial', `${healthy}; ${stop}`))
  // A folder in the place of the file makes the write fail, even for root.
  const blocked = join(there.stateFolder, 'agent', 'current.json.next', 'x')
  await mkdir(blocked, { recursive: true })
  expect((await there.run()).ran).toEqual(['good'])
})

test('wazuh/wazuh#38603 a worker, also one on trial, starts again when its machine has become another edge', async () => {
  const once = (last: string) => `
    const { readFileSync } = await import('node:fs')
    if (readFileSync(process.argv[2], 'utf8').split(' ').length > 2) { ${last} }
    process.on('SIGTERM', () => ${stop})
    setInterval(() => {}, 1000)`
  const begun = async (trace: string) => {
    await expect.poll(() => readFile(trace, 'utf8')).not.toBe('')
    return true
  }
  const there = await machine(worker('installed', once(stop)))
  expect(await there.run('2.4.0', 20_000, 20_000, begun)).toEqual({
    code: 0,
    ran: ['installed', 'installed'],
  })
  await there.stage('2.5.0', worker('trial', once(`${healthy}; ${stop}`)))
  expect(await there.run('2.4.0', 20_000, 20_000, begun)).toEqual({ code: 0, ran: ['trial', 'trial'] })
  expect(await there.pointer()).toMatchObject({ current: { version: '2.5.0' }, failed: null })
})

test.each([0, 64, 77, 78])('a worker that exits with %s is not restarted', async (code) => {
  const there = await machine(worker('installed', `process.exit(${code})`))
  expect(await there.run()).toEqual({ code, ran: ['installed'] })
})
