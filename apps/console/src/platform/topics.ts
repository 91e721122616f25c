import type { ClientMessage, ServerMessage } from '@pult/contract'

export type TopicNews =
  | { kind: 'event'; name: string; data: unknown }
  /** The topic was opened just now, or an event is missing: what it is about has to be read again. */
  | { kind: 'gap' }
  /** The topic is not there for this person, or not any more. Nothing comes until there is a new connection. */
  | { kind: 'ended' }

export type TopicListener = (news: TopicNews) => void

interface Topic {
  listeners: Set<TopicListener>
  /** Of the last event; null until the server has opened the topic on the present connection. */
  lastSeq: number | null
}

/** Which topics this page listens to. A subscription belongs to a connection; what is listened to outlives it. */
export function createTopics(send: (message: ClientMessage) => void) {
  const topics = new Map<string, Topic>()
  let isConnected = false

  function tell({ listeners }: Topic, news: TopicNews): void {
    for (const listener of listeners) listener(news)
  }

  return {
    /** There is a connection, a new one or one that was authenticated anew. */
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
        // What was read before may be older than the first event that comes.
        tell(topic, { kind: 'gap' })
      } else if (message.type === 'event') {
        // Meant for a subscription that has ended meanwhile.
        if (topic.lastSeq === null) return
        const isMissing = message.seq !== topic.lastSeq + 1
        topic.lastSeq = message.seq
        if (isMissing) tell(topic, { kind: 'gap' })
        tell(topic, { kind: 'event', name: message.name, data: message.data })
      } else {
        topic.lastSeq = null
        tell(topic, { kind: 'ended' })
      }
    },

    subscribe(name: string, listener: TopicListener): () => void {
      const topic = topics.get(name) ?? { listeners: new Set(), lastSeq: null }
      topic.listeners.add(listener)
      if (!topics.has(name)) {
        topics.set(name, topic)
        if (isConnected) send({ type: 'subscribe', topic: name })
      } else if (topic.lastSeq !== null) {
        // Others listen already: nothing will be said of the opening.
        queueMicrotask(() => topic.listeners.has(listener) && listener({ kind: 'gap' }))
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
