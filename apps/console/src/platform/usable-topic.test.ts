import { expect, onTestFinished, test, vi } from 'vitest'
import { subscribeUsable } from './usable-topic.ts'

// Without a page there is no connection.
vi.mock('./realtime.ts', () => ({ subscribe: () => () => {} }))

test('grafana/grafana#104991 a value that is no topic ends its subscription only', async () => {
  const reported = vi.fn<(error: unknown) => void>()
  vi.stubGlobal('reportError', reported)
  onTestFinished(() => void vi.unstubAllGlobals())
  const newsOf = async (topic: unknown) => {
    const news: string[] = []
    const stop = subscribeUsable(topic as string, ({ kind }) => news.push(kind))
    await Promise.resolve()
    stop()
    return news
  }
  for (const topic of ['rooms:changed', '', 'x'.repeat(201), { id: 1 }, null])
    expect(await newsOf(topic)).toEqual(['ended'])
  expect(reported).toHaveBeenCalledTimes(5)
  expect(await newsOf('/projects/1/edges')).toEqual([])
  expect(reported).toHaveBeenCalledTimes(5)
})
