import type { ClientMessage, ServerMessage } from '@pult/contract'

export type TopicNews =
  | { kind: 'event'; name: string; data: unknown }
  /**
   * The topic was just opened, or an event is missing. Listeners must refetch its data, unless it was read at the
   * position `at` or later.
   */
  | { kind: 'gap'; at?: string | undefined }
  /** The user has no access to the topic, or has lost it. No events arrive until the next connection. */
  | { kind: 'ended' }

export type TopicListener = (news: TopicNews) => void

interface Topic {
  listeners: Set<TopicListener>
  /** Sequence number of the last event; null until the server has opened the topic on the current connection. */
  lastSeq: number | null
  /** The server's position when it opened the topic. */
  at: string | undefined
}

/** The topics of this page. A server subscription belongs to one connection, while listeners outlive it. */
export function createTopics(send: (message: ClientMessage) => void) {
  const topics = new Map<string, Topic>()
  let isConnected = false

  function publish({ listeners }: Topic, news: TopicNews): void {
    for (const listener of listeners) listener(news)
  }

  return {
    /** Called for a new connection, and after a new authentication on the same one. */
    connected(): void {
      if (isConnected) return
      isConnected = true
      for (const topic of topics.keys()) send({ type: 'subscribe', topic })
    },

    disconnected(): void {
      isConnected = false
      for (const topic of topics.values()) topic.lastSeq = null
    },

    receive(message: ServerMessage): void {
      const topic = 'topic' in message ? topics.get(message.topic) : undefined
      if (topic === undefined) return
      if (message.type === 'subscribed') {
        topic.lastSeq = 0
        // Data fetched before the subscription may be older than its first event.
        topic.at = message.at
        publish(topic, { kind: 'gap', at: message.at })
      } else if (message.type === 'event') {
        // The event belongs to a subscription that has ended.
        if (topic.lastSeq === null) return
        const isMissing = message.seq !== topic.lastSeq + 1
        topic.lastSeq = message.seq
        if (isMissing) publish(topic, { kind: 'gap' })
        publish(topic, { kind: 'event', name: message.name, data: message.data })
      } else {
        topic.lastSeq = null
        publish(topic, { kind: 'ended' })
      }
    },

    subscribe(name: string, listener: TopicListener): () => void {
      const topic = topics.get(name) ?? { listeners: new Set(), lastSeq: null, at: undefined }
      topic.listeners.add(listener)
      if (!topics.has(name)) {
        topics.set(name, topic)
        if (isConnected) send({ type: 'subscribe', topic: name })
      } else if (topic.lastSeq !== null) {
        // The subscription is already open, so no opening will notify this listener. The number of an event is no
        // position, so what was read before the last event may be older than it.
        const at = topic.lastSeq === 0 ? topic.at : undefined
        queueMicrotask(() => topic.listeners.has(listener) && listener({ kind: 'gap', at }))
      }
      return () => {
        topic.listeners.delete(listener)
        if (topic.listeners.size > 0 || topics.get(name) !== topic) return
        topics.delete(name)
        if (isConnected) send({ type: 'unsubscribe', topic: name })
      }
    },
  }
}
