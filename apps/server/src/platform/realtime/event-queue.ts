import type { ReceivedEvent } from './event-tail.ts'

interface EventQueueParts {
  /** Checks and delivers a batch of events of one topic. Must not reject. */
  deliver: (batch: readonly ReceivedEvent[]) => Promise<void>
  /** Called instead of queuing another event while `waitingMax` events wait. */
  onOverflow: () => void
}

/** Maximum number of waiting events. Above this number all clients reconnect and refetch instead. */
const waitingMax = 10_000

/** Events that the guard checks in one query. Larger batches would delay the other topics. */
const batchMax = 16

/** Milliseconds after which a check no longer delays the events of other topics. */
const slowAfter = 100

/** Maximum number of topics beside the common queue. The connections of the database are for calls. */
const slowMax = 8

/**
 * Delivers events in the order of their ids, one batch after the other. A topic whose check lasts longer than 100 ms
 * leaves this order until its own events are delivered; its events keep their order among themselves.
 */
export function createEventQueue({ deliver, onOverflow }: EventQueueParts) {
  let waiting: ReceivedEvent[] = []
  /** The waiting events of the topics whose check lasts long. */
  const slow = new Map<string, ReceivedEvent[]>()
  let isWorking = false

  const count = () => [...slow.values()].reduce((sum, { length }) => sum + length, waiting.length)

  async function work(): Promise<void> {
    // Events that are added in the same tick belong to the first batch.
    await Promise.resolve()
    for (let [first] = waiting; first !== undefined; [first] = waiting) {
      const { topic } = first
      const end = waiting.slice(0, batchMax).findIndex((next) => next.topic !== topic)
      const delivered = deliver(waiting.splice(0, end === -1 ? batchMax : end))
      if (slow.size >= slowMax) await delivered
      else if (!(await endsWithin(delivered, slowAfter))) setAside(topic, delivered)
    }
    isWorking = false
  }

  /** Moves the events of a topic to its own queue, until that queue is empty. */
  function setAside(topic: string, delivered: Promise<void>): void {
    const { own = [], others = [] } = Object.groupBy(waiting, (event) =>
      event.topic === topic ? 'own' : 'others',
    )
    waiting = others
    slow.set(topic, own)
    void workOn(topic, own, delivered)
  }

  async function workOn(topic: string, own: ReceivedEvent[], delivered: Promise<void>): Promise<void> {
    await delivered
    while (own.length > 0) await deliver(own.splice(0, batchMax))
    slow.delete(topic)
  }

  return {
    add(event: ReceivedEvent): void {
      if (count() >= waitingMax) return onOverflow()
      const own = slow.get(event.topic)
      if (own !== undefined) return void own.push(event)
      waiting.push(event)
      if (isWorking) return
      isWorking = true
      void work()
    },

    /** Removes the waiting events of a topic. */
    drop(topic: string): void {
      const own = slow.get(topic)
      if (own !== undefined) own.length = 0
      else waiting = waiting.filter((event) => event.topic !== topic)
    },
  }
}

/** Returns whether work ends within a time in milliseconds. */
function endsWithin(work: Promise<void>, time: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), time)
    void work.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
