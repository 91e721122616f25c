import { subscribe } from './realtime.ts'
import type { TopicListener } from './topics.ts'

/** The names that the server accepts. It closes the connection of a page that asks for another one. */
const topicName = /^[\w/-]{1,200}$/

/** Subscribes to a topic that an extension has named. Another value than a topic ends this subscription only. */
export function subscribeUsable(topic: string, listener: TopicListener): () => void {
  if (typeof topic === 'string' && topicName.test(topic)) return subscribe(topic, listener)
  reportError(new TypeError(`This is no topic: ${topic}`))
  queueMicrotask(() => listener({ kind: 'ended' }))
  return () => {}
}
