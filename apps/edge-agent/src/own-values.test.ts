import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, mkdir, symlink, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lastLines } from './agent-log.ts'
import { createOwnValues } from './own-values.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const value = { key: 'kiln.a', value: 912.5, unit: '°C' }

/** Sends a request as curl does, and returns the answer as text. */
async function ask(socket: string, body: string, head = ''): Promise<string> {
  const client: Socket = connect(socket)
  const bytes = Buffer.byteLength(body)
  client.write(`POST /values HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n${head}\r\n${body}`)
  let text = ''
  client.on('data', (data) => {
    text += data.toString()
  })
  client.on('error', () => {})
  await once(client, 'close')
  return text
}

async function opened() {
  const values = createOwnValues()
  const socket = join(tmpdir(), `pult-values-${process.pid}-${Math.round(performance.now())}.sock`)
  await values.start({ socket })
  onTestFinished(values.stop)
  return { values, socket }
}

test('a program reports one value or several, and the newest value of a key is used', async () => {
  const { values, socket } = await opened()
  expect(await ask(socket, JSON.stringify(value))).toMatch(/^HTTP\/1\.1 204 /)
  expect(
    await ask(
      socket,
      JSON.stringify([
        { ...value, value: 913 },
        { key: 'parts', value: 7 },
      ]),
    ),
  ).toMatch(/ 204 /)
  expect(values.report()).toEqual([
    { ...value, value: 913 },
    { key: 'parts', value: 7, unit: '' },
  ])
})

test.each([
  ['no JSON', 'NaN', / 400 .*not JSON/s],
  ['a value that is not a number', '{"key": "a", "value": null}', / 400 .*finite numbers/s],
  ['an infinite value', '{"key": "a", "value": 1e999}', / 400 /],
  ['a key of the agent', '{"key": "load", "value": 1}', / 400 .*other than load/s],
  ['a key with spaces', '{"key": "a b", "value": 1}', / 400 /],
  ['a long unit', JSON.stringify({ ...value, unit: 'x'.repeat(17) }), / 400 /],
  [
    '10,000 values',
    JSON.stringify(Array.from({ length: 10_000 }, (_, n) => ({ key: `k${n}`, value: n }))),
    / 413 /,
  ],
  ['one megabyte', ' '.repeat(1024 ** 2), / 413 /],
])('RULE-76 %s is rejected with a reason, and none of its values is stored', async (_, text, expected) => {
  const { values, socket } = await opened()
  expect(await ask(socket, text)).toMatch(expected)
  expect(values.report()).toEqual([])
})

test('a web page cannot report values', async () => {
  const { values, socket } = await opened()
  expect(await ask(socket, JSON.stringify(value), 'Origin: https://example.org\r\n')).toMatch(/ 403 /)
  expect(values.report()).toEqual([])
})

test('a report that exceeds 64 values is rejected as a whole, and an old value becomes a gap', () => {
  let now = 0
  const values = createOwnValues(() => now)
  const some = (from: number, count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, n) => ({ key: `k${from + n}`, value: n })))
  expect(values.take(some(0, 60)).status).toBe(204)
  expect(values.take(some(60, 5)).status).toBe(409)
  expect(values.report()).toHaveLength(60)
  now = 120_001
  expect(values.report()).toEqual([])
  expect(values.take(some(60, 5)).status).toBe(204)
})

/** Opens the endpoint at a path. */
async function openAt(socket: string) {
  const values = createOwnValues()
  onTestFinished(values.stop)
  await values.start({ socket })
  return values
}

/** Starts a process that listens at a path, and then runs a script. */
async function listenElsewhere(path: string, script = '') {
  const code = `const server = require('node:net').createServer((client) => client.end('mine'))
    server.listen({ path: ${JSON.stringify(path)}, backlog: 1 }, () => { process.stdout.write('ready'); ${script} })`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

test.each([
  ['a file', 'a file', (path: string) => writeFile(path, 'precious')],
  ['a folder', 'a folder', (path: string) => mkdir(path)],
  ['a link to a file', 'a symbolic link', (path: string) => symlink('/etc/hostname', path)],
  ['a link to nothing', 'a symbolic link', (path: string) => symlink('/no/such/socket', path)],
  [
    'a named pipe',
    'a named pipe',
    async (path: string) => execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', path]),
  ],
])(
  'OpenAtom-Linyaps/linyaps#1874 an agent whose socket has the path of %s names it and leaves it there',
  async (_name, kind, make) => {
    const path = join(await temporaryFolder(), 'values.sock')
    await make(path)
    const before = await lstat(path)
    await expect(openAt(path)).rejects.toMatchObject({
      exitCode: 78,
      message: `Programs cannot report values at ${path}: ${kind} has this path, which the agent does not remove. Remove it, or choose another path`,
    })
    const after = await lstat(path)
    expect([after.ino, after.mode, after.size]).toEqual([before.ino, before.mode, before.size])
  },
)

test('OpenAtom-Linyaps/linyaps#1874 an agent takes over the socket that a killed program has left', async () => {
  const path = join(await temporaryFolder(), 'values.sock')
  const child = await listenElsewhere(path)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect((await lstat(path)).isSocket()).toBe(true)
  await openAt(path)
  expect(await ask(path, JSON.stringify(value))).toMatch(/^HTTP\/1\.1 204 /)
})

test('OpenAtom-Linyaps/linyaps#1874 an agent leaves the socket of a running program to it', async () => {
  const path = join(await temporaryFolder(), 'values.sock')
  await listenElsewhere(path)
  const values = await openAt(path)
  expect(values.address()).toBeNull()
  expect(lastLines().at(-1)).toContain(
    `Programs cannot report values at ${path}: another program uses this socket`,
  )
  const client = connect(path)
  expect(String((await once(client, 'data'))[0])).toBe('mine')
})

test('OpenAtom-Linyaps/linyaps#1874 an agent leaves the socket of a program that is too slow to answer', async () => {
  const path = join(await temporaryFolder(), 'values.sock')
  // It never returns to its event loop, so that connections wait until their queue is full.
  await listenElsewhere(path, 'for (;;);')
  const codes = new Set<string>()
  while (!codes.has('EAGAIN')) {
    const client = connect(path)
    onTestFinished(() => void client.destroy())
    client.on('error', ({ code = '' }: NodeJS.ErrnoException) => codes.add(code))
    await new Promise((resolve) => client.on('connect', resolve).on('close', resolve))
  }
  const before = await lstat(path)
  const values = await openAt(path)
  expect(values.address()).toBeNull()
  expect((await lstat(path)).ino).toBe(before.ino)
})

test('an agent whose socket has a path in a missing folder works without it, and names the folder as the cause', async () => {
  const path = join(await temporaryFolder(), 'later', 'values.sock')
  const values = await openAt(path)
  expect(values.address()).toBeNull()
  expect(lastLines().at(-1)).toContain(`${path}: its folder does not exist (ENOENT)`)
})
