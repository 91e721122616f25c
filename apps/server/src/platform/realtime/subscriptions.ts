import { type ServerMessage, socketCloseCodes } from '@pult/contract'
import { AppError } from '../app-error.ts'
import type { Log } from '../log.ts'
import { changeEvent } from './changes.ts'
import type { ClientSocket } from './client-socket.ts'
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
  events: Pick<Events, 'listen'>
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

/**
 * Maximum number of events that wait for the guard's answer. Above this number all clients reconnect and refetch
 * instead.
 */
const waitingMax = 10_000

/** Events that the guard checks in one query. Larger batches would delay the other topics. */
const batchMax = 16

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
 * event, with one query for all subscribers and a batch of events of one topic. Events keep their order.
 */
export function createSubscriptions({ events, guard, log }: SubscriptionsParts) {
  const byTopic = new Map<string, Map<Subscriber, Subscription>>()
  const deliveries = createQueue<ReceivedEvent>(deliver, (first, next) => first.topic === next.topic)
  const endings = createQueue<Loss>(endLost, () => true)

  events.listen((event) => {
    // A separate queue: a lost right ends the subscription within a second, however many events wait (RULE-62).
    const loss = lossBy(event)
    if (loss !== null) endings.add(loss)
    if (byTopic.has(event.topic)) deliveries.add(event)
  })

  /** Handles items one batch after the other. A batch is the first item and the next ones that belong to it. */
  function createQueue<Item>(
    handle: (items: readonly Item[]) => Promise<void>,
    belongs: (first: Item, next: Item) => boolean,
  ) {
    let waiting: Item[] = []
    let isWorking = false

    async function work(): Promise<void> {
      // Items that are added in the same tick belong to the first batch.
      await Promise.resolve()
      for (let [first] = waiting; first !== undefined; [first] = waiting) {
        const of = first
        const end = waiting.slice(0, batchMax).findIndex((next) => !belongs(of, next))
        const batch = waiting.splice(0, end === -1 ? batchMax : end)
        try {
          await handle(batch)
        } catch (err) {
          log.error({ err }, 'events could not be delivered')
          closeAll()
        }
      }
      isWorking = false
    }

    return {
      add(item: Item): void {
        if (waiting.length >= waitingMax) return closeAll()
        waiting.push(item)
        if (isWorking) return
        isWorking = true
        void work()
      },

      drop(isDropped: (item: Item) => boolean): void {
        waiting = waiting.filter((item) => !isDropped(item))
      },
    }
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
    deliveries.drop((event) => event.topic === topic)
    for (const subscription of subscriptionsOf(topic)) {
      if (!subscription.isOpen) continue
      subscription.seq = 0
      subscription.subscriber.socket.send({ type: 'subscribed', topic })
    }
  }

  /** Checks the subscriptions that a change may have revoked. */
  async function endLost(losses: readonly Loss[]): Promise<void> {
    for (const topic of byTopic.keys()) {
      const subscriptions = subscriptionsOf(topic).filter(({ subscriber }) =>
        losses.some((isLost) => isLost(topic, subscriber.personId)),
      )
      if (subscriptions.length === 0) continue
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
    const subscribers = new Set([...byTopic.values()].flatMap((subscriptions) => [...subscriptions.keys()]))
    for (const { socket } of subscribers) socket.close(socketCloseCodes.goingAway, missed)
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
      // A repeated subscription starts again at 1.
      const before = subscriptionOf(topic, subscriber)
      if (before !== undefined) {
        before.seq = 0
        return socket.send({ type: 'subscribed', topic })
      }
      if (own.length >= topicsPerSocket) return socket.send({ type: 'refused', topic })

      // Registered before the guard answers, so that a concurrent loss of the right removes the subscription.
      const subscription: Subscription = { subscriber, seq: 0, isOpen: false }
      const subscriptions = byTopic.get(topic) ?? new Map<Subscriber, Subscription>()
      byTopic.set(topic, subscriptions.set(subscriber, subscription))
      const readers = await guard.readersOf(topic, [personId]).catch((error: unknown) => {
        unsubscribe(subscriber, topic)
        throw error
      })
      if (!readers.includes(personId)) unsubscribe(subscriber, topic)
      if (!isPresent(topic, subscription)) return socket.send({ type: 'refused', topic })
      subscription.isOpen = true
      socket.send({ type: 'subscribed', topic })
    },

    unsubscribe,

    /** Removes all subscriptions of a client. */
    leave(subscriber: Subscriber): void {
      for (const topic of byTopic.keys()) unsubscribe(subscriber, topic)
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
