import { AppError } from '../app-error.ts'
import type { Log } from '../log.ts'
import { changeEvent } from './changes.ts'
import type { ClientSocket } from './client-socket.ts'
import type { HeardEvent } from './event-tail.ts'
import type { Events } from './events.ts'

/** Who may hear what; asked of the rooms that know. */
export interface TopicGuard {
  /** Of these people, those who may read the topic. One that does not exist has no readers. */
  readersOf(topic: string, personIds: readonly string[]): Promise<readonly string[]>
  /** Of these people, those who may read what the event tells of. */
  hearersOf(event: HeardEvent, personIds: readonly string[]): Promise<readonly string[]>
}

export interface SubscriptionsParts {
  events: Pick<Events, 'listen'>
  guard: TopicGuard
  log: Log
}

/** A signed-in client. */
export interface Subscriber {
  socket: ClientSocket
  personId: string
}

/** More than a console needs by far. */
const topicsPerSocket = 50

/** Events that wait to be delivered while the database is asked who may hear them; above it everybody reads again. */
const waitingMost = 10_000

interface Subscription {
  subscriber: Subscriber
  /** Of the last event that was sent. */
  seq: number
  /** Whether the right to read the topic has been found; nothing is delivered before. */
  isOpen: boolean
}

/**
 * Which client hears what. The right to read is asked when a client subscribes and again for every event, of all
 * subscribers in one question; events of one topic are delivered in their order.
 */
export function createSubscriptions({ events, guard, log }: SubscriptionsParts) {
  const byTopic = new Map<string, Map<Subscriber, Subscription>>()
  let work = Promise.resolve()
  let waiting = 0

  events.listen((event) => {
    // Nobody here hears it, and nobody loses a topic by it.
    if (!byTopic.has(event.topic) && !endsTopics(event)) return
    if (waiting >= waitingMost) return closeAll()
    waiting += 1
    work = work
      .then(() => deliver(event))
      .finally(() => {
        waiting -= 1
      })
  })

  async function deliver(event: HeardEvent): Promise<void> {
    try {
      await endLost(event)
      const subscriptions = [...(byTopic.get(event.topic)?.values() ?? [])].filter(({ isOpen }) => isOpen)
      if (subscriptions.length === 0) return
      const personIds = [...new Set(subscriptions.map(({ subscriber }) => subscriber.personId))]
      const hearers = new Set(await guard.hearersOf(event, personIds))
      const { audience: _audience, ...data } = event.data
      for (const subscription of subscriptions) {
        const { subscriber } = subscription
        // It may have left while the database was asked.
        if (!hearers.has(subscriber.personId) || !isSubscribed(event.topic, subscriber)) continue
        subscription.seq += 1
        const { topic, id, name } = event
        subscriber.socket.send({ type: 'event', topic, seq: subscription.seq, id, name, data })
      }
    } catch (err) {
      // Who cannot be asked must not hear it, and who should have heard it has to read again.
      if (!(err instanceof AppError)) log.error({ err }, 'an event could not be delivered')
      closeAll()
    }
  }

  /** A project that somebody can no longer read takes the topics below it along. */
  async function endLost({ name, data }: HeardEvent): Promise<void> {
    if (name !== changeEvent || data['op'] !== 'remove' || data['collection'] !== 'projects') return
    const prefix = `/projects/${String(data['id'])}/`
    for (const [topic, subscriptions] of byTopic) {
      if (!topic.startsWith(prefix)) continue
      const personIds = [...subscriptions.keys()].map(({ personId }) => personId)
      const readers = new Set(await guard.readersOf(topic, personIds))
      for (const subscriber of subscriptions.keys()) {
        if (readers.has(subscriber.personId)) continue
        unsubscribe(subscriber, topic)
        subscriber.socket.send({ type: 'ended', topic })
      }
    }
  }

  const endsTopics = ({ name, data }: HeardEvent) =>
    name === changeEvent && data['collection'] === 'projects' && data['op'] === 'remove'

  const isSubscribed = (topic: string, subscriber: Subscriber) => byTopic.get(topic)?.has(subscriber) === true

  function closeAll(): void {
    const subscribers = new Set([...byTopic.values()].flatMap((subscriptions) => [...subscriptions.keys()]))
    for (const { socket } of subscribers) socket.close(1001, 'Events were missed')
  }

  function unsubscribe(subscriber: Subscriber, topic: string): void {
    const subscriptions = byTopic.get(topic)
    subscriptions?.delete(subscriber)
    if (subscriptions?.size === 0) byTopic.delete(topic)
  }

  return {
    async subscribe(subscriber: Subscriber, topic: string): Promise<void> {
      const { socket, personId } = subscriber
      const own = [...byTopic.values()].filter((subscriptions) => subscriptions.has(subscriber))
      if (isSubscribed(topic, subscriber)) return socket.send({ type: 'subscribed', topic })
      if (own.length >= topicsPerSocket) return socket.send({ type: 'refused', topic })

      // There before it is asked: a right that is lost meanwhile takes the subscription away again.
      const subscription: Subscription = { subscriber, seq: 0, isOpen: false }
      const subscriptions = byTopic.get(topic) ?? new Map<Subscriber, Subscription>()
      byTopic.set(topic, subscriptions.set(subscriber, subscription))
      const readers = await guard.readersOf(topic, [personId]).catch((error: unknown) => {
        unsubscribe(subscriber, topic)
        throw error
      })
      if (!readers.includes(personId)) unsubscribe(subscriber, topic)
      if (!isSubscribed(topic, subscriber)) return socket.send({ type: 'refused', topic })
      subscription.isOpen = true
      socket.send({ type: 'subscribed', topic })
    },

    unsubscribe,

    /** Forgets a client that is gone. */
    leave(subscriber: Subscriber): void {
      for (const topic of byTopic.keys()) unsubscribe(subscriber, topic)
    },
  }
}
export type Subscriptions = ReturnType<typeof createSubscriptions>
