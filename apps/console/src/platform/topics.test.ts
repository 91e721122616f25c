import type { ClientMessage } from '@pult/contract'
import { expect, test, vi } from 'vitest'
import { createTopics, type TopicNews } from './topics.ts'

function open() {
  const sent: ClientMessage[] = []
  const topics = createTopics((message) => sent.push(message))
  const received = vi.fn<(news: TopicNews) => void>()
  const kinds = () => received.mock.calls.map(([{ kind }]) => kind)
  const event = (seq: number) =>
    topics.receive({ type: 'event', topic: 'projects', seq, id: seq, name: 'change', data: { seq } })
  return { topics, sent, received, kinds, event }
}
const subscription: ClientMessage = { type: 'subscribe', topic: 'projects' }

test('RULE-64 each connection subscribes to a topic, and its opening triggers a refetch', () => {
  const { topics, sent, received, kinds } = open()
  topics.subscribe('projects', received)
  expect(sent).toEqual([])
  topics.connected()
  expect(sent).toEqual([subscription])
  // The same connection after a new authentication.
  topics.connected()
  expect(sent).toEqual([subscription])
  topics.receive({ type: 'subscribed', topic: 'projects' })
  expect(kinds()).toEqual(['gap'])

  topics.disconnected()
  topics.connected()
  expect(sent).toEqual([subscription, subscription])
  topics.receive({ type: 'subscribed', topic: 'projects' })
  expect(kinds()).toEqual(['gap', 'gap'])
})

test('RULE-64 a skipped number is a gap, the next number is not', () => {
  const { topics, received, kinds, event } = open()
  topics.subscribe('projects', received)
  topics.connected()
  topics.receive({ type: 'subscribed', topic: 'projects' })
  received.mockClear()
  event(1)
  event(2)
  expect(received.mock.calls).toEqual([
    [{ kind: 'event', name: 'change', data: { seq: 1 } }],
    [{ kind: 'event', name: 'change', data: { seq: 2 } }],
  ])
  received.mockClear()
  event(4)
  event(5)
  expect(kinds()).toEqual(['gap', 'event', 'event'])
})

test('an event of a subscription that ended with its connection is ignored', () => {
  const { topics, received, kinds, event } = open()
  topics.subscribe('projects', received)
  topics.connected()
  topics.receive({ type: 'subscribed', topic: 'projects' })
  topics.disconnected()
  topics.connected()
  event(7)
  expect(kinds()).toEqual(['gap'])
})

test('the last listener ends the subscription, and a new listener refetches', async () => {
  const { topics, sent, received, kinds, event } = open()
  const other = vi.fn<(news: TopicNews) => void>()
  topics.connected()
  const stopOther = topics.subscribe('projects', other)
  topics.receive({ type: 'subscribed', topic: 'projects' })
  const stop = topics.subscribe('projects', received)
  expect(sent).toEqual([subscription])
  await Promise.resolve()
  expect(kinds()).toEqual(['gap'])
  expect(other).toHaveBeenCalledTimes(1)

  stopOther()
  event(1)
  expect(kinds()).toEqual(['gap', 'event'])
  expect(sent).toEqual([subscription])
  stop()
  expect(sent).toEqual([subscription, { type: 'unsubscribe', topic: 'projects' }])
})

test('a rejected or revoked topic notifies its listeners', () => {
  const { topics, received, kinds, event } = open()
  topics.subscribe('projects', received)
  topics.connected()
  topics.receive({ type: 'refused', topic: 'projects' })
  expect(kinds()).toEqual(['ended'])
  event(1)
  expect(kinds()).toEqual(['ended'])
})
