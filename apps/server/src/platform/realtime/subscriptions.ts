import { type ServerMessage, socketCloseCodes } from '@pult/contract'
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
  /** Of these people, those who may read what each of the events tells of, which are all of one topic. */
  hearersOf(events: readonly HeardEvent[], personIds: readonly string[]): Promise<readonly Iterable<string>[]>
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

/** Events that are delivered at once: fewer questions and writes, and yet no long time for one topic alone. */
const runMost = 16

/** Whether a subscription may have lost its right. */
type Loss = (topic: string, personId: string) => boolean

interface Subscription {
  subscriber: Subscriber
  /** Of the last event that was sent. */
  seq: number
  /** Whether the right to read the topic has been found; nothing is delivered before. */
  isOpen: boolean
}

/**
 * Which client hears what. The right to read is asked when a client subscribes and again for every event, of all
 * subscribers, and for a run of events of one topic, in one question; events are delivered in their order.
 */
export function createSubscriptions({ events, guard, log }: SubscriptionsParts) {
  const byTopic = new Map<string, Map<Subscriber, Subscription>>()
  const deliveries = createQueue<HeardEvent>(deliver, (first, next) => first.topic === next.topic)
  const endings = createQueue<Loss>(endLost, () => true)

  events.listen((event) => {
    // Not behind what waits to be delivered: a right that is lost ends the subscription within a second.
    const loss = lossBy(event)
    if (loss !== null) endings.add(loss)
    if (byTopic.has(event.topic)) deliveries.add(event)
  })

  /** What is done one after the other; what waits and belongs to the first, up to a number, together with it. */
  function createQueue<Item>(
    handle: (items: readonly Item[]) => Promise<void>,
    belongs: (first: Item, next: Item) => boolean,
  ) {
    const waiting: Item[] = []
    let isWorking = false

    async function work(): Promise<void> {
      // What is added at once is there before the first of it is taken.
      await Promise.resolve()
      for (let [first] = waiting; first !== undefined; [first] = waiting) {
        const of = first
        const end = waiting.slice(0, runMost).findIndex((next) => !belongs(of, next))
        const run = waiting.slice(0, end === -1 ? runMost : end)
        try {
          await handle(run)
        } catch (err) {
          // Who cannot be asked must not hear it, and who should have heard it has to read again.
          if (!(err instanceof AppError)) log.error({ err }, 'an event could not be delivered')
          closeAll()
        }
        waiting.splice(0, run.length)
      }
      isWorking = false
    }

    return {
      add(item: Item): void {
        if (waiting.length >= waitingMost) return closeAll()
        waiting.push(item)
        if (isWorking) return
        isWorking = true
        void work()
      },
    }
  }

  async function deliver(run: readonly HeardEvent[]): Promise<void> {
    const topic = run[0]?.topic ?? ''
    const subscriptions = subscriptionsOf(topic).filter(({ isOpen }) => isOpen)
    if (subscriptions.length === 0) return
    const personIds = subscriptions.map(({ subscriber }) => subscriber.personId)
    const hearers = await guard.hearersOf(run, [...new Set(personIds)])
    const messages = run.map((event, index) => ({
      textOf: numbered(event),
      hearers: new Set(hearers[index]),
    }))
    for (const subscription of subscriptions) {
      const { subscriber } = subscription
      const heard = messages.filter((message) => message.hearers.has(subscriber.personId))
      if (heard.length === 0 || !isPresent(topic, subscription)) continue
      subscriber.socket.sendTexts(
        heard.map(({ textOf }) => {
          subscription.seq += 1
          return textOf(subscription.seq)
        }),
      )
    }
  }

  /** Asks again about the subscriptions that a change may have ended. */
  async function endLost(losses: readonly Loss[]): Promise<void> {
    for (const topic of byTopic.keys()) {
      const subscriptions = subscriptionsOf(topic).filter(({ subscriber }) =>
        losses.some((isAsked) => isAsked(topic, subscriber.personId)),
      )
      if (subscriptions.length === 0) continue
      const personIds = subscriptions.map(({ subscriber }) => subscriber.personId)
      const readers = new Set(await guard.readersOf(topic, [...new Set(personIds)]))
      for (const subscription of subscriptions) {
        const { subscriber, isOpen } = subscription
        if (readers.has(subscriber.personId) || !isPresent(topic, subscription)) continue
        unsubscribe(subscriber, topic)
        // One that is not open yet is refused instead.
        if (isOpen) subscriber.socket.send({ type: 'ended', topic })
      }
    }
  }

  const subscriptionsOf = (topic: string) => [...(byTopic.get(topic)?.values() ?? [])]

  const subscriptionOf = (topic: string, subscriber: Subscriber) => byTopic.get(topic)?.get(subscriber)

  /** While the database was asked it may have left, or left and come back with a subscription of its own numbers. */
  const isPresent = (topic: string, subscription: Subscription) =>
    subscriptionOf(topic, subscription.subscriber) === subscription

  function closeAll(): void {
    const subscribers = new Set([...byTopic.values()].flatMap((subscriptions) => [...subscriptions.keys()]))
    for (const { socket } of subscribers) socket.close(socketCloseCodes.goingAway, 'Events were missed')
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
      // Asked for once more it is a new one, counted from 1.
      const before = subscriptionOf(topic, subscriber)
      if (before !== undefined) {
        before.seq = 0
        return socket.send({ type: 'subscribed', topic })
      }
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
      if (!isPresent(topic, subscription)) return socket.send({ type: 'refused', topic })
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

/** Writes an event as a message once: those of its subscribers differ in their numbers alone. */
function numbered({ topic, id, name, data: { audience: _audience, ...data } }: HeardEvent) {
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
 * What a change may cost: a project that is gone for somebody takes the topics below it along, and what somebody may do
 * decides about each of theirs. Topics without a path have no right to lose: their events each say whom they are for.
 */
function lossBy({ name, data }: HeardEvent): Loss | null {
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
