import { expect, test, vi } from 'vitest'
import { createProbe } from './probe.ts'

const fault = () => new Error('no answer')

test('concurrent questions share one call, and a later question makes a new one', async () => {
  const call = vi.fn<() => Promise<string>>(async () => 'here')
  const ask = createProbe({ call, patience: 1000, fault })
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(['here', 'here', 'here'])
  expect(call).toHaveBeenCalledTimes(1)
  expect(await ask()).toBe('here')
  expect(call).toHaveBeenCalledTimes(2)
})

test('a place that hangs keeps one call, each further question rejects immediately, and its answer heals it', async () => {
  let place = Promise.withResolvers<string>()
  const call = vi.fn<() => Promise<string>>(() => place.promise)
  const ask = createProbe({ call, patience: 20, fault })
  await expect(ask()).rejects.toThrow('no answer')
  for (let count = 0; count < 20; count += 1) await expect(ask()).rejects.toThrow('no answer')
  expect(call).toHaveBeenCalledTimes(1)
  place.resolve('late')
  place = Promise.withResolvers()
  place.resolve('here')
  await expect.poll(() => ask().catch(String)).toBe('here')
  expect(call).toHaveBeenCalledTimes(2)
})
