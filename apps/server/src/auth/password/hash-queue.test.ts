import { expect, test } from 'vitest'
import { createHashQueue } from './hash-queue.ts'

/** A job that runs until `end` is called. */
function openJob() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { job: () => ended, end: () => end() }
}

test('RULE-09 the queue runs two jobs, holds one, and rejects the next with BUSY', async () => {
  const enqueue = createHashQueue({ running: 2, waiting: 1 })
  const [first, second] = [openJob(), openJob()]
  const running = [enqueue(first.job), enqueue(second.job)]
  let hasThirdRun = false
  const third = enqueue(async () => {
    hasThirdRun = true
  })
  await expect(enqueue(async () => {})).rejects.toMatchObject({ code: 'BUSY', retryAfter: 2 })
  expect(hasThirdRun).toBe(false)
  first.end()
  await third
  expect(hasThirdRun).toBe(true)
  second.end()
  await Promise.all(running)
})

test('RULE-09 a failed job releases its slot', async () => {
  const enqueue = createHashQueue({ running: 1, waiting: 1 })
  await expect(enqueue(async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(enqueue(async () => 'done')).resolves.toBe('done')
})
