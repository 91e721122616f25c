import { type ServerMessage, socketCloseCodes } from '@pult/contract'
import { AppError } from '../app-error.ts'
import type { Log } from '../log.ts'
import { changeEvent } from './changes.ts'
import type { ClientSocket } from './client-socket.ts'
import { createEventQueue } from './event-queue.ts'
import type { ReceivedEvent } from './event-tail.ts'
import type { Events } from './events.ts'

/** Decides which users may read a topic or an event. */
export interface TopicGuard {
  /** Returns the users among these who may read the topic. A topic that does not exist has no readers. */
  readersOf(topic: string, personIds: readonly string[]): Promise<readonly string[]>
  /** Returns for each event, all of one topic, the users among these who may read its record. */
  recipientsOf(
    events: readonly ReceivedEvent[],
    personIds: readonly string[],
  ): Promise<readonly Iterable<string>[]>
}

export interface SubscriptionsParts {
  events: Pick<Events, 'listen' | 'position'>
  guard: TopicGuard
  log: Log
}

/** A signed-in client. */
export interface Subscriber {
  socket: ClientSocket
  personId: string
}

/** Maximum number of topics per socket: far more than a console needs. */
const topicsPerSocket = 50

/** Topics whose lost rights are checked at the same time. The connections of the database are for calls. */
const endingsMax = 8

/** Close reason after which the client reconnects and refetches. */
const missed = 'Events were missed'

/** Whether a change may have revoked this user's right to read this topic. */
type Loss = (topic: string, personId: string) => boolean

interface Subscription {
  subscriber: Subscriber
  /** Sequence number of the last event sent. */
  seq: number
  /** Whether the guard has confirmed the right to read the topic. Nothing is delivered before. */
  isOpen: boolean
}

/**
 * Delivers events to the subscribed clients. The guard checks the right to read at subscription and again for every
 * event, with one query for all subscribers and a batch of events of one topic. The events of a topic keep their order,
 * and a slow check of one topic does not hold the others.
 */
export function createSubscriptions({ events, guard, log }: SubscriptionsParts) {
  const byTopic = new Map<string, Map<Subscriber, Subscription>>()
  const topicsOf = new Map<Subscriber, Set<string>>()
  const deliveries = createEventQueue({
    deliver: (batch) => deliver(batch).catch(fail),
    onOverflow: closeAll,
  })
  /** The subscriptions that a change may have revoked, by topic. */
  const doubtful = new Map<string, Set<Subscription>>()
  /** The topics whose readers are being checked after such a change. */
  const ending = new Set<string>()

  events.listen((event) => {
    // Not in the queue of events: a lost right ends the subscription within a second, however many wait (RULE-62).
    const loss = lossBy(event)
    if (loss !== null) doubt(loss)
    if (byTopic.has(event.topic)) deliveries.add(event)
  })

  function fail(err: unknown): void {
    log.error({ err }, 'events could not be delivered')
    closeAll()
  }

  async function deliver(batch: readonly ReceivedEvent[]): Promise<void> {
    const topic = batch[0]?.topic ?? ''
    const subscriptions = subscriptionsOf(topic).filter(({ isOpen }) => isOpen)
    if (subscriptions.length === 0) return
    const personIds = subscriptions.map(({ subscriber }) => subscriber.personId)
    const recipients = await guard.recipientsOf(batch, [...new Set(personIds)]).catch(noAnswer)
    if (recipients === undefined) return reopen(topic)
    const messages = batch.map((event, index) => ({
      textOf: numbered(event),
      recipients: new Set(recipients[index]),
    }))
    for (const subscription of subscriptions) {
      const { subscriber } = subscription
      const received = messages.filter((message) => message.recipients.has(subscriber.personId))
      if (received.length === 0 || !isPresent(topic, subscription)) continue
      subscriber.socket.sendTexts(
        received.map(({ textOf }) => {
          subscription.seq += 1
          return textOf(subscription.seq)
        }),
      )
    }
  }

  /**
   * Restarts the subscriptions of one topic after the guard failed to check its events. The clients of the topic
   * refetch, which includes the events that still wait. Other topics are not affected.
   */
  function reopen(topic: string): void {
    deliveries.drop(topic)
    for (const subscription of subscriptionsOf(topic)) {
      if (!subscription.isOpen) continue
      subscription.seq = 0
      subscription.subscriber.socket.send(opened(topic))
    }
  }

  /** Returns the message that opens a subscription, which receives all events after this position. */
  const opened = (topic: string) => ({ type: 'subscribed', topic, at: events.position() }) as const

  /** Schedules a check of the subscriptions that a change may have revoked. */
  function doubt(isLost: Loss): void {
    for (const topic of byTopic.keys()) {
      const lost = subscriptionsOf(topic).filter(({ subscriber }) => isLost(topic, subscriber.personId))
      if (lost.length > 0) doubtful.set(topic, new Set([...(doubtful.get(topic) ?? []), ...lost]))
    }
    checkDoubtful()
  }

  /** Checks several topics at the same time, so that a slow one does not delay the loss of a right on the others. */
  function checkDoubtful(): void {
    for (const [topic, subscriptions] of doubtful) {
      if (ending.size >= endingsMax) return
      // A check that has begun may not see the change.
      if (ending.has(topic)) continue
      doubtful.delete(topic)
      ending.add(topic)
      void endLost(topic, [...subscriptions])
        .catch(fail)
        .then(() => {
          ending.delete(topic)
          checkDoubtful()
        })
    }
  }

  async function endLost(topic: string, subscriptions: readonly Subscription[]): Promise<void> {
    const personIds = subscriptions.map(({ subscriber }) => subscriber.personId)
    const answer = await guard.readersOf(topic, [...new Set(personIds)]).catch(noAnswer)
    const readers = new Set(answer)
    for (const subscription of subscriptions) {
      const { subscriber, isOpen } = subscription
      if (readers.has(subscriber.personId) || !isPresent(topic, subscription)) continue
      // Without an answer the right may be gone. The client reconnects, and the guard checks the new subscription.
      if (answer === undefined) subscriber.socket.close(socketCloseCodes.goingAway, missed)
      unsubscribe(subscriber, topic)
      // A subscription that is not open yet is refused by `subscribe`.
      if (isOpen && answer !== undefined) subscriber.socket.send({ type: 'ended', topic })
    }
  }

  function noAnswer(err: unknown): undefined {
    if (!(err instanceof AppError)) log.error({ err }, 'the readers of a topic could not be read')
  }

  const subscriptionsOf = (topic: string) => [...(byTopic.get(topic)?.values() ?? [])]

  const subscriptionOf = (topic: string, subscriber: Subscriber) => byTopic.get(topic)?.get(subscriber)

  /** Whether the subscription still exists: during the guard's query, the client may have left or subscribed again. */
  const isPresent = (topic: string, subscription: Subscription) =>
    subscriptionOf(topic, subscription.subscriber) === subscription

  function closeAll(): void {
    // A closing socket leaves, which changes the map.
    for (const { socket } of new Set(topicsOf.keys())) socket.close(socketCloseCodes.goingAway, missed)
  }

  function register(topic: string, subscription: Subscription): void {
    const { subscriber } = subscription
    const subscriptions = byTopic.get(topic) ?? new Map<Subscriber, Subscription>()
    byTopic.set(topic, subscriptions.set(subscriber, subscription))
    topicsOf.set(subscriber, (topicsOf.get(subscriber) ?? new Set<string>()).add(topic))
  }

  function unsubscribe(subscriber: Subscriber, topic: string): void {
    const subscriptions = byTopic.get(topic)
    subscriptions?.delete(subscriber)
    if (subscriptions?.size === 0) byTopic.delete(topic)
    const topics = topicsOf.get(subscriber)
    topics?.delete(topic)
    if (topics?.size === 0) topicsOf.delete(subscriber)
  }

  return {
    async subscribe(subscriber: Subscriber, topic: string): Promise<void> {
      const { socket, personId } = subscriber
      // A repeated subscription starts again at 1.
      const before = subscriptionOf(topic, subscriber)
      if (before !== undefined) {
        before.seq = 0
        return socket.send(opened(topic))
      }
      if ((topicsOf.get(subscriber)?.size ?? 0) >= topicsPerSocket)
        return socket.send({ type: 'refused', topic })

      // Registered before the guard answers, so that a concurrent loss of the right removes the subscription.
      const subscription: Subscription = { subscriber, seq: 0, isOpen: false }
      register(topic, subscription)
      const readers = await guard.readersOf(topic, [personId]).catch((error: unknown) => {
        unsubscribe(subscriber, topic)
        throw error
      })
      if (!readers.includes(personId)) unsubscribe(subscriber, topic)
      if (!isPresent(topic, subscription)) return socket.send({ type: 'refused', topic })
      subscription.isOpen = true
      socket.send(opened(topic))
    },

    unsubscribe,

    /** Removes all subscriptions of a client. */
    leave(subscriber: Subscriber): void {
      for (const topic of new Set(topicsOf.get(subscriber))) unsubscribe(subscriber, topic)
    },
  }
}
export type Subscriptions = ReturnType<typeof createSubscriptions>

/** Serialises an event once: the messages to its subscribers differ only in their sequence numbers. */
function numbered({ topic, id, name, data: { audience: _audience, ...data } }: ReceivedEvent) {
  const message = { type: 'event', topic, id, name, data } satisfies Omit<EventMessage, 'seq'>
  const rest = JSON.stringify(message).slice(1)
  let last: { seq: number; text: Buffer } | undefined
  return (seq: number): Buffer => {
    if (last?.seq !== seq) last = { seq, text: Buffer.from(`{"seq":${seq},${rest}`) }
    return last.text
  }
}

type EventMessage = Extract<ServerMessage, { type: 'event' }>

/**
 * Returns which subscriptions a change may revoke. A user who loses a project loses the topics below it. A change of a
 * user's permissions may affect every topic with a path. Topics without a path cannot be lost: their events name their
 * audience.
 */
function lossBy({ name, data }: ReceivedEvent): Loss | null {
  if (name !== changeEvent) return null
  const id = String(data['id'])
  if (data['collection'] === 'projects' && data['op'] === 'remove') {
    return (topic) => topic.startsWith(`/projects/${id}/`)
  }
  if (data['collection'] === 'credentials') {
    return (topic, personId) => personId === id && topic.startsWith('/')
  }
  return null
}
