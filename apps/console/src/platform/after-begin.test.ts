import { expect, test, vi } from 'vitest'
import { afterBegin } from './after-begin.ts'
import { createTopics, type TopicListener } from './topics.ts'

test('a listener receives events and a reconnect, but not the begin and the end of its subscription', () => {
  const topics = createTopics(() => {})
  const listener = vi.fn<TopicListener>()
  topics.subscribe('projects', afterBegin(listener))
  const connect = () => {
    topics.connected()
    topics.receive({ type: 'subscribed', topic: 'projects' })
  }
  connect()
  expect(listener).not.toHaveBeenCalled()
  topics.receive({ type: 'event', topic: 'projects', seq: 1, id: 1, name: 'change', data: null })
  topics.disconnected()
  connect()
  topics.receive({ type: 'ended', topic: 'projects' })
  expect(listener.mock.calls.map(([{ kind }]) => kind)).toEqual(['event', 'gap'])
})

test('a subscription that was refused begins with the next connection', () => {
  const listener = vi.fn<TopicListener>()
  const receive = afterBegin(listener)
  for (const kind of ['ended', 'ended', 'gap'] as const) receive({ kind })
  expect(listener).not.toHaveBeenCalled()
})
