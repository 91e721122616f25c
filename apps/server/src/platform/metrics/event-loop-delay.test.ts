import { expect, onTestFinished, test } from 'vitest'
import { createEventLoopDelay } from './event-loop-delay.ts'

const block = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

test('the delay of the event loop is forgotten after two windows, and not by a reading', async () => {
  const delay = createEventLoopDelay(1000)
  onTestFinished(delay.stop)
  // Begins the measurement before the event loop is late.
  await new Promise((resolve) => setTimeout(resolve, 200))
  block(900)
  const longest = () => delay.read()['100']
  await expect.poll(longest).toBeGreaterThan(0.5)
  expect(longest()).toBeGreaterThan(0.5)
  await expect.poll(longest).toBeLessThan(0.5)
})

test('the time between two measurements is not part of the delay', async () => {
  const delay = createEventLoopDelay()
  onTestFinished(delay.stop)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  await expect.poll(() => delay.read()['50']).toBeLessThan(0.04)
})
