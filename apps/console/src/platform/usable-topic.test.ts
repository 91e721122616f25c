import { expect, onTestFinished, test, vi } from 'vitest'

// The connection listens to its page.
const page = new EventTarget()
const listen = page.addEventListener.bind(page)
vi.stubGlobal('addEventListener', listen)
vi.stubGlobal('document', { documentElement: { lang: 'de' }, addEventListener: listen })
const { subscribeUsable } = await import('./usable-topic.ts')

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
