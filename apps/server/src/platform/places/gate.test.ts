import { expect, test, vi } from 'vitest'
import { createGate } from './gate.ts'

const patience = 20
const fault = () => new Error('no answer')
const gateFor = (atOnce: number) => createGate({ atOnce, patience, fault })

/** Calls that wait until the folder answers. */
function hanging() {
  const folder = Promise.withResolvers<string>()
  const call = vi.fn<() => Promise<string>>(() => folder.promise)
  return { call, answer: folder.resolve, fail: folder.reject }
}

test('a call that answers in time returns its result or its error', async () => {
  const gate = gateFor(2)
  expect(await gate.attempt(async () => 'content')).toBe('content')
  expect(await gate.finish(async () => 'written')).toBe('written')
  const denied = async () => Promise.reject(new Error('EACCES'))
  await expect(gate.attempt(denied)).rejects.toThrow('EACCES')
  await expect(gate.finish(denied)).rejects.toThrow('EACCES')
})

test('a folder that hangs takes its places and no more, and refuses further calls immediately', async () => {
  const gate = gateFor(2)
  const { call, answer } = hanging()
  await Promise.all([1, 2].map(() => expect(gate.attempt(call)).rejects.toThrow('no answer')))
  const begin = performance.now()
  for (let count = 0; count < 100; count += 1) await expect(gate.attempt(call)).rejects.toThrow('no answer')
  expect(performance.now() - begin).toBeLessThan(100 * patience)
  await expect(gate.finish(call)).rejects.toThrow('no answer')
  expect(call).toHaveBeenCalledTimes(2)
  answer('')
  await expect.poll(() => gate.attempt(async () => 'again').catch(String)).toBe('again')
  // More calls than places wait for their turn again.
  const calls = Array.from({ length: 20 }, () => gate.attempt(async () => 'again'))
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['again']))
})

test('a call waits for its turn, in order, and no longer than the patience', async () => {
  const gate = gateFor(1)
  const first = hanging()
  const begun: string[] = []
  const asked = gate.finish(first.call)
  const waiting = ['a', 'b'].map((name) => gate.attempt(async () => begun.push(name)))
  first.answer('')
  await Promise.all([asked, ...waiting])
  expect(begun).toEqual(['a', 'b'])
  const second = hanging()
  const held = gate.finish(second.call)
  await expect(gate.attempt(async () => 'never')).rejects.toThrow('no answer')
  second.answer('written')
  expect(await held).toBe('written')
})

test('a write is waited for, however long the folder takes', async () => {
  const gate = gateFor(1)
  const { call, answer } = hanging()
  const written = gate.finish(call)
  await new Promise((resolve) => setTimeout(resolve, 3 * patience))
  answer('written')
  expect(await written).toBe('written')
})

test('a file that opens too late is closed', async () => {
  const gate = gateFor(1)
  const file = { close: vi.fn<() => Promise<void>>(async () => {}) }
  const opened = Promise.withResolvers<typeof file>()
  await expect(gate.attempt(() => opened.promise, gate.close)).rejects.toThrow('no answer')
  expect(file.close).not.toHaveBeenCalled()
  opened.resolve(file)
  await expect.poll(() => file.close.mock.calls.length).toBe(1)
})

test('closing does not wait for a folder that hangs, takes no thread beyond its places, and happens afterwards', async () => {
  const gate = gateFor(1)
  const { call, answer } = hanging()
  await expect(gate.attempt(call)).rejects.toThrow('no answer')
  const file = { close: vi.fn<() => Promise<void>>(async () => {}) }
  await Promise.all([gate.close(file), gate.close(file)])
  expect(file.close).not.toHaveBeenCalled()
  answer('')
  await expect.poll(() => file.close.mock.calls.length).toBe(2)
})
