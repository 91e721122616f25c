import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createOwnValues } from './own-values.ts'

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
