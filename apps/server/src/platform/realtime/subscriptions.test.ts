import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerMessage, serverMessage } from '@pult/contract'
import { expect, test, vi } from 'vitest'
import { AppError } from '../app-error.ts'
import { createLog } from '../log.ts'
import type { HeardEvent } from './event-tail.ts'
import { createSubscriptions, type Subscriber } from './subscriptions.ts'

/*
 * What happens while the database is asked, in an order that the test decides. The real guard, sockets and database
 * stand in the tests of the project's topic.
 */

const topic = '/projects/a/LTT'

/** A question to the guard that the test answers. */
interface Question {
  topic: string
  personIds: readonly string[]
  answer: (personIds: readonly string[]) => void
  fail: (error: Error) => void
}

function open() {
  let hear: (event: HeardEvent) => void = () => {}
  let count = 0
  const questions: Question[] = []
  const runs: number[] = []
  const state = {
    isHeld: false,
    readers: new Set<string>(),
    error: undefined as Error | undefined,
    audience: undefined as ((event: HeardEvent) => string[]) | undefined,
  }

  function ask(asked: string, personIds: readonly string[]): Promise<readonly string[]> {
    if (state.error !== undefined) return Promise.reject(state.error)
    if (!state.isHeld) return Promise.resolve(personIds.filter((id) => state.readers.has(id)))
    const { promise, resolve: answer, reject: fail } = Promise.withResolvers<readonly string[]>()
    questions.push({ topic: asked, personIds, answer, fail })
    return promise
  }

  const subscriptions = createSubscriptions({
    events: {
      listen: (listener) => {
        hear = listener
        return () => {}
      },
    },
    guard: {
      readersOf: ask,
      hearersOf: async (events, personIds) => {
        runs.push(events.length)
        const hearers = await ask(events[0]?.topic ?? '', personIds)
        return events.map((event) => state.audience?.(event) ?? hearers)
      },
    },
    log: createLog('silent'),
  })

  function client(personId: string) {
    const messages: ServerMessage[] = []
    const closed: number[] = []
    const subscriber: Subscriber = {
      personId,
      socket: {
        isOpen: () => closed.length === 0,
        close: (code) => void closed.push(code),
        send: (message) => void messages.push(message),
        sendTexts: (texts) =>
          void messages.push(...texts.map((text) => serverMessage.parse(JSON.parse(text.toString())))),
        ping: () => {},
        drop: () => {},
        silence: () => 0,
      },
    }
    return {
      subscriber,
      messages,
      closed,
      types: () => messages.map(({ type }) => type),
      seqs: () => messages.flatMap((message) => (message.type === 'event' ? [message.seq] : [])),
      subscribe: (name = topic) => subscriptions.subscribe(subscriber, name),
      unsubscribe: (name = topic) => subscriptions.unsubscribe(subscriber, name),
    }
  }

  /** The next question, once it has been asked. */
  async function question(): Promise<Question> {
    await vi.waitFor(() => expect(questions).not.toHaveLength(0), { interval: 1 })
    const [first] = questions.splice(0, 1)
    if (first === undefined) throw new Error('nothing was asked')
    return first
  }

  return {
    subscriptions,
    state,
    questions,
    /** Of how many events each question was. */
    runs,
    question,
    client,
    happen: (name = 'task:state', data: Record<string, unknown> = {}) => {
      count += 1
      hear({ id: count, topic, name, data })
    },
    /** Somebody can no longer read the project of the topic. */
    loseProject: () => {
      count += 1
      hear({
        id: count,
        topic: 'projects',
        name: 'change',
        data: { collection: 'projects', op: 'remove', id: 'a' },
      })
    },
  }
}

test('RULE-62 somebody’s loss of a project does not end the subscription that somebody else makes meanwhile', async () => {
  const { state, client, question, loseProject, happen } = open()
  state.readers = new Set(['ada', 'grace'])
  const [ada, grace] = [client('ada'), client('grace')]
  await ada.subscribe()
  state.isHeld = true
  loseProject()
  const whoReads = await question()
  expect(whoReads.personIds).toEqual(['ada'])
  const subscribing = grace.subscribe()
  const mayGrace = await question()
  whoReads.answer([])
  await vi.waitFor(() => expect(ada.types()).toEqual(['subscribed', 'ended']))
  mayGrace.answer(['grace'])
  await subscribing
  expect(grace.types()).toEqual(['subscribed'])
  state.isHeld = false
  happen()
  await vi.waitFor(() => expect(grace.seqs()).toEqual([1]))
  expect(ada.seqs()).toEqual([])
})

test('RULE-61 a right that is lost while it is asked for refuses the subscription, and nothing is heard', async () => {
  const { state, client, question, questions, loseProject, happen } = open()
  state.isHeld = true
  const ada = client('ada')
  const subscribing = ada.subscribe()
  const may = await question()
  happen()
  await sleep(5)
  expect(questions).toEqual([])
  loseProject()
  const whoReads = await question()
  whoReads.answer([])
  await sleep(0)
  may.answer(['ada'])
  await subscribing
  expect(ada.types()).toEqual(['refused'])
  state.isHeld = false
  state.readers = new Set(['ada'])
  happen()
  await sleep(5)
  expect(ada.types()).toEqual(['refused'])
})

test('RULE-61 who loses the topic while an event’s hearers are asked for does not hear it', async () => {
  const { state, client, question, loseProject, happen } = open()
  state.readers = new Set(['ada', 'grace'])
  const [ada, grace] = [client('ada'), client('grace')]
  await ada.subscribe()
  await grace.subscribe()
  state.isHeld = true
  happen()
  const hearers = await question()
  loseProject()
  const whoReads = await question()
  whoReads.answer(['grace'])
  await vi.waitFor(() => expect(ada.types()).toEqual(['subscribed', 'ended']))
  hearers.answer(['ada', 'grace'])
  await vi.waitFor(() => expect(grace.seqs()).toEqual([1]))
  expect(ada.types()).toEqual(['subscribed', 'ended'])
})

test('RULE-62 a loss does not wait behind the events that are still to be delivered', async () => {
  const { state, client, question, questions, loseProject, happen } = open()
  state.readers = new Set(['ada'])
  const ada = client('ada')
  await ada.subscribe()
  state.isHeld = true
  for (let index = 0; index < 500; index += 1) happen()
  const stuck = await question()
  loseProject()
  const whoReads = await question()
  whoReads.answer([])
  await vi.waitFor(() => expect(ada.types()).toEqual(['subscribed', 'ended']))
  stuck.answer(['ada'])
  await sleep(5)
  expect(ada.seqs()).toEqual([])
  expect(questions).toEqual([])
})

test('RULE-64 a subscription that is made anew counts from 1, whatever was on its way to the one before', async () => {
  const { state, client, question, happen } = open()
  state.readers = new Set(['ada'])
  const ada = client('ada')
  await ada.subscribe()
  for (let index = 0; index < 3; index += 1) happen()
  await vi.waitFor(() => expect(ada.seqs()).toEqual([1, 2, 3]))
  state.isHeld = true
  happen()
  const hearers = await question()
  ada.unsubscribe()
  const subscribing = ada.subscribe()
  const may = await question()
  may.answer(['ada'])
  await subscribing
  hearers.answer(['ada'])
  state.isHeld = false
  happen()
  await vi.waitFor(() => expect(ada.seqs().length).toBeGreaterThan(3))
  expect(ada.seqs()).toEqual([1, 2, 3, 1])

  // Asked for twice without an end between.
  await ada.subscribe()
  happen()
  await vi.waitFor(() => expect(ada.seqs()).toEqual([1, 2, 3, 1, 1]))
})

test('RULE-64 numbers of a subscription have no hole where an event was for others', async () => {
  const { state, client, happen } = open()
  state.readers = new Set(['ada', 'grace'])
  const [ada, grace] = [client('ada'), client('grace')]
  await ada.subscribe()
  await grace.subscribe()
  for (let index = 0; index < 6; index += 1) {
    state.readers = new Set(index % 2 === 0 ? ['ada', 'grace'] : ['grace'])
    happen('task:state', { index })
    await vi.waitFor(() => expect(grace.seqs()).toHaveLength(index + 1))
  }
  expect(ada.seqs()).toEqual([1, 2, 3])
  expect(grace.seqs()).toEqual([1, 2, 3, 4, 5, 6])
})

test('RULE-61 RULE-64 events that come together are asked for together, and each is heard by its own, in order', async () => {
  const { state, client, runs, happen } = open()
  state.readers = new Set(['ada', 'grace'])
  const [ada, grace] = [client('ada'), client('grace')]
  await ada.subscribe()
  await grace.subscribe()
  state.audience = ({ data }) => (Number(data['index']) % 3 === 0 ? ['ada', 'grace'] : ['grace'])
  for (let index = 0; index < 40; index += 1) happen('task:state', { index, audience: ['secret'] })
  await vi.waitFor(() => expect(grace.seqs()).toHaveLength(40))
  const heardBy = ({ messages }: typeof ada) =>
    messages.flatMap((message) => (message.type === 'event' ? [message.data] : []))
  expect(heardBy(grace)).toEqual(Array.from({ length: 40 }, (_, index) => ({ index })))
  expect(heardBy(ada)).toEqual(Array.from({ length: 14 }, (_, index) => ({ index: index * 3 })))
  expect(ada.seqs()).toEqual(Array.from({ length: 14 }, (_, index) => index + 1))
  expect(runs).toEqual([16, 16, 8])
})

test('RULE-64 events that cannot be delivered close the sockets with 1001, and the next are delivered again', async () => {
  const { state, client, happen } = open()
  state.readers = new Set(['ada', 'grace'])
  const ada = client('ada')
  await ada.subscribe()
  state.error = new AppError('DATABASE_UNAVAILABLE')
  happen()
  await vi.waitFor(() => expect(ada.closed).toEqual([1001]))
  expect(ada.seqs()).toEqual([])
  state.error = undefined
  const grace = client('grace')
  await grace.subscribe()
  happen()
  await vi.waitFor(() => expect(grace.seqs()).toEqual([1]))
})

test('RULE-62 a loss of which nobody can be asked whom it concerns closes the sockets', async () => {
  const { state, client, loseProject } = open()
  state.readers = new Set(['ada'])
  const ada = client('ada')
  await ada.subscribe()
  state.error = new Error('a fault')
  loseProject()
  await vi.waitFor(() => expect(ada.closed).toEqual([1001]))
})

test('RULE-64 when too much waits the sockets are closed with 1001 instead of the memory filled', async () => {
  const { state, client, question, runs, happen } = open()
  state.readers = new Set(['ada', 'grace'])
  const ada = client('ada')
  await ada.subscribe()
  state.isHeld = true
  for (let index = 0; index < 10_000; index += 1) happen()
  expect(ada.closed).toEqual([])
  happen()
  expect(ada.closed).toEqual([1001])
  const stuck = await question()
  state.isHeld = false
  const grace = client('grace')
  await grace.subscribe()
  stuck.answer([])
  const [ofStuck = 0] = runs
  await vi.waitFor(() => expect(grace.seqs()).toHaveLength(10_000 - ofStuck), { timeout: 5000 })
  happen()
  await vi.waitFor(() => expect(grace.seqs().at(-1)).toBe(10_001 - ofStuck))
})

test('RULE-60 a socket has 50 topics; one more is refused, and there is room again for each that it leaves', async () => {
  const { state, client } = open()
  state.readers = new Set(['ada'])
  const ada = client('ada')
  const name = (index: number) => `/projects/${index}/LTT`
  for (let index = 0; index < 50; index += 1) await ada.subscribe(name(index))
  await ada.subscribe(name(50))
  // Of those that it has, none is one more.
  await ada.subscribe(name(7))
  expect(ada.types()).toEqual([...Array.from({ length: 50 }, () => 'subscribed'), 'refused', 'subscribed'])
  ada.unsubscribe('/projects/never/LTT')
  ada.messages.length = 0
  await ada.subscribe(name(50))
  ada.unsubscribe(name(3))
  await ada.subscribe(name(50))
  expect(ada.types()).toEqual(['refused', 'subscribed'])
})

test('RULE-61 a right that cannot be asked for gives no subscription', async () => {
  const { state, client, happen } = open()
  state.error = new AppError('DATABASE_UNAVAILABLE')
  const ada = client('ada')
  await expect(ada.subscribe()).rejects.toThrow(AppError)
  state.error = undefined
  // Nothing of it is left that the next question would find.
  await ada.subscribe()
  expect(ada.types()).toEqual(['refused'])
  state.readers = new Set(['ada'])
  happen()
  await sleep(5)
  expect(ada.types()).toEqual(['refused'])
})
