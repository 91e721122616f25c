import { expect, test } from 'vitest'
import { createHashQueue } from './hash-queue.ts'

/** A job that ends when told to. */
function openJob() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { job: () => ended, end: () => end() }
}

test('RULE-09 runs two at once, lets the next wait, and refuses what is more', async () => {
  const enqueue = createHashQueue({ running: 2, waiting: 1 })
  const [first, second] = [openJob(), openJob()]
  const running = [enqueue(first.job), enqueue(second.job)]
  let hasThirdRun = false
  const third = enqueue(async () => {
    hasThirdRun = true
  })
  await expect(enqueue(async () => {})).rejects.toMatchObject({ code: 'BUSY', retryAfter: 2 })
  expect(hasThirdRun).toBe(false)
  expect(enqueue.isBusy()).toBe(true)
  first.end()
  await third
  expect(hasThirdRun).toBe(true)
  second.end()
  await Promise.all(running)
  expect(enqueue.isBusy()).toBe(false)
})

test('RULE-09 frees the place of a job that failed', async () => {
  const enqueue = createHashQueue({ running: 1, waiting: 1 })
  await expect(enqueue(async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(enqueue(async () => 'done')).resolves.toBe('done')
})
