import type { ClientMessage } from '@pult/contract'
import { expect, test, vi } from 'vitest'
import { createTopics, type TopicNews } from './topics.ts'

function open() {
  const sent: ClientMessage[] = []
  const topics = createTopics((message) => sent.push(message))
  const heard = vi.fn<(news: TopicNews) => void>()
  const kinds = () => heard.mock.calls.map(([{ kind }]) => kind)
  const event = (seq: number) =>
    topics.receive({ type: 'event', topic: 'projects', seq, id: seq, name: 'change', data: { seq } })
  return { topics, sent, heard, kinds, event }
}
const subscription: ClientMessage = { type: 'subscribe', topic: 'projects' }

test('RULE-64 a topic is asked for on each connection, and what it is about is read again when it opens', () => {
  const { topics, sent, heard, kinds } = open()
  topics.subscribe('projects', heard)
  expect(sent).toEqual([])
  topics.connected()
  expect(sent).toEqual([subscription])
  // The same connection, authenticated anew.
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

test('RULE-64 a number that is left out is a gap, one that follows is not', () => {
  const { topics, heard, kinds, event } = open()
  topics.subscribe('projects', heard)
  topics.connected()
  topics.receive({ type: 'subscribed', topic: 'projects' })
  heard.mockClear()
  event(1)
  event(2)
  expect(heard.mock.calls).toEqual([
    [{ kind: 'event', name: 'change', data: { seq: 1 } }],
    [{ kind: 'event', name: 'change', data: { seq: 2 } }],
  ])
  heard.mockClear()
  event(4)
  event(5)
  expect(kinds()).toEqual(['gap', 'event', 'event'])
})

test('an event of a subscription that ended with its connection is not heard', () => {
  const { topics, heard, kinds, event } = open()
  topics.subscribe('projects', heard)
  topics.connected()
  topics.receive({ type: 'subscribed', topic: 'projects' })
  topics.disconnected()
  topics.connected()
  event(7)
  expect(kinds()).toEqual(['gap'])
})

test('the last one who listens ends the subscription, and one who joins reads for the first time', async () => {
  const { topics, sent, heard, kinds, event } = open()
  const other = vi.fn<(news: TopicNews) => void>()
  topics.connected()
  const stopOther = topics.subscribe('projects', other)
  topics.receive({ type: 'subscribed', topic: 'projects' })
  const stop = topics.subscribe('projects', heard)
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

test('a topic that is refused or taken away says so', () => {
  const { topics, heard, kinds, event } = open()
  topics.subscribe('projects', heard)
  topics.connected()
  topics.receive({ type: 'refused', topic: 'projects' })
  expect(kinds()).toEqual(['ended'])
  event(1)
  expect(kinds()).toEqual(['ended'])
})
