import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerMessage, serverMessage } from '@pult/contract'
import { expect, test, vi } from 'vitest'
import { AppError } from '../app-error.ts'
import { createLog } from '../log.ts'
import type { ReceivedEvent } from './event-tail.ts'
import { createSubscriptions, type Subscriber } from './subscriptions.ts'

/*
 * Races during the guard's queries, in an order that the test controls. The tests of the project's topic use the real
 * guard, sockets and database.
 */

const topic = '/projects/a/LTT'
const other = '/projects/b/LTT'

/** A query to the guard that the test answers. */
interface Question {
  topic: string
  personIds: readonly string[]
  answer: (personIds: readonly string[]) => void
  fail: (error: Error) => void
}

function open() {
  let receive: (event: ReceivedEvent) => void = () => {}
  let count = 0
  const questions: Question[] = []
  const runs: number[] = []
  const state = {
    isHeld: false,
    /** The topic whose queries alone wait. */
    heldTopic: undefined as string | undefined,
    readers: new Set<string>(),
    error: undefined as Error | undefined,
    audience: undefined as ((event: ReceivedEvent) => string[]) | undefined,
  }

  function ask(asked: string, personIds: readonly string[]): Promise<readonly string[]> {
    if (state.error !== undefined) return Promise.reject(state.error)
    if (!state.isHeld && asked !== state.heldTopic)
      return Promise.resolve(personIds.filter((id) => state.readers.has(id)))
    const { promise, resolve: answer, reject: fail } = Promise.withResolvers<readonly string[]>()
    questions.push({ topic: asked, personIds, answer, fail })
    return promise
  }

  const subscriptions = createSubscriptions({
    events: {
      listen: (listener) => {
        receive = listener
        return () => {}
      },
      position: () => 'node 7',
    },
    guard: {
      readersOf: ask,
      recipientsOf: async (events, personIds) => {
        runs.push(events.length)
        const recipients = await ask(events[0]?.topic ?? '', personIds)
        return events.map((event) => state.audience?.(event) ?? recipients)
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
      /** The ids of the received events, of all topics or of one. */
      ids: (of?: string) =>
        messages.flatMap((message) =>
          message.type === 'event' && (of ?? message.topic) === message.topic ? [message.id] : [],
        ),
      subscribe: (name = topic) => subscriptions.subscribe(subscriber, name),
      unsubscribe: (name = topic) => subscriptions.unsubscribe(subscriber, name),
    }
  }

  /** Returns the next query to the guard. */
  async function question(): Promise<Question> {
    await vi.waitFor(() => expect(questions).not.toHaveLength(0), { interval: 1, timeout: 30_000 })
    const [first] = questions.splice(0, 1)
    if (first === undefined) throw new Error('no query is waiting')
    return first
  }

  return {
    subscriptions,
    state,
    questions,
    /** Number of events in each query. */
    runs,
    question,
    client,
    happen: (name = 'task:state', data: Record<string, unknown> = {}, of = topic) => {
      count += 1
      receive({ id: count, topic: of, name, data })
    },
    /** A user can no longer read a project, by default that of the topic. */
    loseProject: (id = 'a') => {
      count += 1
      receive({
        id: count,
        topic: 'projects',
        name: 'change',
        data: { collection: 'projects', op: 'remove', id },
      })
    },
  }
}

test('RULE-64 the opening of a subscription names the position from which it receives events', async () => {
  const { state, client } = open()
  state.readers = new Set(['ada'])
  const ada = client('ada')
  await ada.subscribe()
  expect(ada.messages).toEqual([{ type: 'subscribed', topic, at: 'node 7' }])
})

test('RULE-62 the loss of a project does not end a subscription that another user makes meanwhile', async () => {
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
  await vi.waitFor(() => expect(ada.types()).toEqual(['subscribed', 'ended']), 30_000)
  mayGrace.answer(['grace'])
  await subscribing
  expect(grace.types()).toEqual(['subscribed'])
  state.isHeld = false
  happen()
  await vi.waitFor(() => expect(grace.seqs()).toEqual([1]), 30_000)
  expect(ada.seqs()).toEqual([])
})

test('RULE-61 a permission that is lost during the check refuses the subscription and delivers no event', async () => {
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

test('RULE-61 a user who loses the topic during the check of an event does not receive it', async () => {
  const { state, client, question, loseProject, happen } = open()
  state.readers = new Set(['ada', 'grace'])
  const [ada, grace] = [client('ada'), client('grace')]
  await ada.subscribe()
  await grace.subscribe()
  state.isHeld = true
  happen()
  const recipients = await question()
  loseProject()
  const whoReads = await question()
  whoReads.answer(['grace'])
  await vi.waitFor(() => expect(ada.types()).toEqual(['subscribed', 'ended']), 30_000)
  recipients.answer(['ada', 'grace'])
  await vi.waitFor(() => expect(grace.seqs()).toEqual([1]), 30_000)
  expect(ada.types()).toEqual(['subscribed', 'ended'])
})

test('RULE-62 the loss of a project ends the subscription before the waiting events', async () => {
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
  await vi.waitFor(() => expect(ada.types()).toEqual(['subscribed', 'ended']), 30_000)
  stuck.answer(['ada'])
  await sleep(5)
  expect(ada.seqs()).toEqual([])
  expect(questions).toEqual([])
})

test('RULE-64 a new subscription counts from 1 while an event of the former one is in progress', async () => {
  const { state, client, question, happen } = open()
  state.readers = new Set(['ada'])
  const ada = client('ada')
  await ada.subscribe()
  for (let index = 0; index < 3; index += 1) happen()
  await vi.waitFor(() => expect(ada.seqs()).toEqual([1, 2, 3]), 30_000)
  state.isHeld = true
  happen()
  const recipients = await question()
  ada.unsubscribe()
  const subscribing = ada.subscribe()
  const may = await question()
  may.answer(['ada'])
  await subscribing
  recipients.answer(['ada'])
  state.isHeld = false
  happen()
  await vi.waitFor(() => expect(ada.seqs().length).toBeGreaterThan(3), 30_000)
  expect(ada.seqs()).toEqual([1, 2, 3, 1])

  // A second subscription without an unsubscription in between.
  await ada.subscribe()
  happen()
  await vi.waitFor(() => expect(ada.seqs()).toEqual([1, 2, 3, 1, 1]), 30_000)
})

test('RULE-64 sequence numbers have no gap where an event was for other users', async () => {
  const { state, client, happen } = open()
  state.readers = new Set(['ada', 'grace'])
  const [ada, grace] = [client('ada'), client('grace')]
  await ada.subscribe()
  await grace.subscribe()
  for (let index = 0; index < 6; index += 1) {
    state.readers = new Set(index % 2 === 0 ? ['ada', 'grace'] : ['grace'])
    happen('task:state', { index })
    await vi.waitFor(() => expect(grace.seqs()).toHaveLength(index + 1), 30_000)
  }
  expect(ada.seqs()).toEqual([1, 2, 3])
  expect(grace.seqs()).toEqual([1, 2, 3, 4, 5, 6])
})

test('RULE-61 RULE-64 one query checks a batch of events, and each reaches its audience in order', async () => {
  const { state, client, runs, happen } = open()
  state.readers = new Set(['ada', 'grace'])
  const [ada, grace] = [client('ada'), client('grace')]
  await ada.subscribe()
  await grace.subscribe()
  state.audience = ({ data }) => (Number(data['index']) % 3 === 0 ? ['ada', 'grace'] : ['grace'])
  for (let index = 0; index < 40; index += 1) happen('task:state', { index, audience: ['secret'] })
  await vi.waitFor(() => expect(grace.seqs()).toHaveLength(40), 30_000)
  const receivedBy = ({ messages }: typeof ada) =>
    messages.flatMap((message) => (message.type === 'event' ? [message.data] : []))
  expect(receivedBy(grace)).toEqual(Array.from({ length: 40 }, (_, index) => ({ index })))
  expect(receivedBy(ada)).toEqual(Array.from({ length: 14 }, (_, index) => ({ index: index * 3 })))
  expect(ada.seqs()).toEqual(Array.from({ length: 14 }, (_, index) => index + 1))
  expect(runs).toEqual([16, 16, 8])
})

test('RULE-64 a failed check of one topic makes only its subscribers refetch, and closes no socket', async () => {
  const { state, client, question, happen } = open()
  state.readers = new Set(['ada', 'grace'])
  const [ada, grace] = [client('ada'), client('grace')]
  await ada.subscribe()
  await grace.subscribe('settings')
  happen()
  await vi.waitFor(() => expect(ada.seqs()).toEqual([1]), 30_000)
  state.isHeld = true
  for (let index = 0; index < 40; index += 1) happen()
  const asked = await question()
  state.isHeld = false
  asked.fail(new AppError('DATABASE_UNAVAILABLE'))
  await vi.waitFor(() => expect(ada.types()).toEqual(['subscribed', 'event', 'subscribed']), 30_000)
  happen()
  await vi.waitFor(() => expect(ada.seqs()).toEqual([1, 1]), 30_000)
  expect(grace.types()).toEqual(['subscribed'])
  expect([...ada.closed, ...grace.closed]).toEqual([])
})

test('RULE-64 events of several topics arrive in the order of their ids while the checks are fast', async () => {
  const { state, client, happen } = open()
  state.readers = new Set(['ada'])
  const ada = client('ada')
  await ada.subscribe(topic)
  await ada.subscribe(other)
  for (let index = 0; index < 40; index += 1) happen('task:state', {}, index % 3 === 0 ? other : topic)
  await vi.waitFor(() => expect(ada.ids()).toHaveLength(40), 30_000)
  expect(ada.ids()).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
})

test('RULE-64 a slow check delays only the events of its topic, which keep their order', async () => {
  const { state, client, question, happen } = open()
  state.readers = new Set(['ada'])
  const ada = client('ada')
  await ada.subscribe(topic)
  await ada.subscribe(other)
  state.heldTopic = topic
  happen()
  const stuck = await question()
  const begun = performance.now()
  for (let index = 0; index < 20; index += 1) {
    happen()
    happen('task:state', {}, other)
  }
  await vi.waitFor(() => expect(ada.ids(other)).toHaveLength(20), 30_000)
  // 100 ms, and some time on a busy machine.
  expect(performance.now() - begun).toBeLessThan(1000)
  expect(ada.ids(topic)).toEqual([])
  // Waits behind the earlier events of its topic.
  happen()
  happen('task:state', {}, other)
  await vi.waitFor(() => expect(ada.ids(other)).toHaveLength(21), 30_000)
  state.heldTopic = undefined
  stuck.answer(['ada'])
  await vi.waitFor(() => expect(ada.ids(topic)).toHaveLength(22), 30_000)
  for (const name of [topic, other]) expect(ada.ids(name)).toEqual(ada.ids(name).toSorted((a, b) => a - b))

  // The topic has returned to the common order.
  ada.messages.length = 0
  for (let index = 0; index < 10; index += 1) happen('task:state', {}, index % 2 === 0 ? topic : other)
  await vi.waitFor(() => expect(ada.ids()).toHaveLength(10), 30_000)
  expect(ada.ids()).toEqual(ada.ids().toSorted((a, b) => a - b))
})

test('RULE-64 a slow check that fails makes only the subscribers of its topic refetch', async () => {
  const { state, client, question, happen } = open()
  state.readers = new Set(['ada', 'grace'])
  const [ada, grace] = [client('ada'), client('grace')]
  await ada.subscribe(topic)
  await grace.subscribe(other)
  state.heldTopic = topic
  for (let index = 0; index < 40; index += 1) happen()
  happen('task:state', {}, other)
  const stuck = await question()
  await vi.waitFor(() => expect(grace.ids()).toHaveLength(1), 30_000)
  state.heldTopic = undefined
  stuck.fail(new AppError('DATABASE_UNAVAILABLE'))
  await vi.waitFor(() => expect(ada.types()).toEqual(['subscribed', 'subscribed']), 30_000)
  happen()
  await vi.waitFor(() => expect(ada.seqs()).toEqual([1]), 30_000)
  expect(grace.types()).toEqual(['subscribed', 'event'])
})

test('RULE-62 a slow check after the loss of a right delays no loss on another topic', async () => {
  const { state, client, question, loseProject } = open()
  state.readers = new Set(['ada'])
  const ada = client('ada')
  const notes = '/projects/a/notes'
  for (const name of [topic, notes, other]) await ada.subscribe(name)
  const ended = () => ada.messages.flatMap((message) => (message.type === 'ended' ? [message.topic] : []))
  state.readers = new Set()
  state.heldTopic = topic
  loseProject()
  const stuck = await question()
  await vi.waitFor(() => expect(ended()).toEqual([notes]), 30_000)
  loseProject('b')
  await vi.waitFor(() => expect(ended()).toEqual([notes, other]), 30_000)
  stuck.answer([])
  await vi.waitFor(() => expect(ended()).toEqual([notes, other, topic]), 30_000)
})

test('RULE-62 a failed check after the loss of a project closes the sockets of that project with 1001', async () => {
  const { state, client, loseProject } = open()
  state.readers = new Set(['ada', 'grace'])
  const [ada, grace] = [client('ada'), client('grace')]
  await ada.subscribe()
  await grace.subscribe('settings')
  state.error = new Error('a fault')
  loseProject()
  await vi.waitFor(() => expect(ada.closed).toEqual([1001]), 30_000)
  expect(grace.closed).toEqual([])
})

test('RULE-64 more than 10,000 waiting events close the sockets with 1001', async () => {
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
  await vi.waitFor(() => expect(grace.seqs()).toHaveLength(10_000 - ofStuck), 30_000)
  happen()
  await vi.waitFor(() => expect(grace.seqs().at(-1)).toBe(10_001 - ofStuck), 30_000)
})

test('RULE-60 a socket can hold 50 topics; another is refused until it unsubscribes from one', async () => {
  const { state, client } = open()
  state.readers = new Set(['ada'])
  const ada = client('ada')
  const name = (index: number) => `/projects/${index}/LTT`
  for (let index = 0; index < 50; index += 1) await ada.subscribe(name(index))
  await ada.subscribe(name(50))
  // A repeated topic does not count twice.
  await ada.subscribe(name(7))
  expect(ada.types()).toEqual([...Array.from({ length: 50 }, () => 'subscribed'), 'refused', 'subscribed'])
  ada.unsubscribe('/projects/never/LTT')
  ada.messages.length = 0
  await ada.subscribe(name(50))
  ada.unsubscribe(name(3))
  await ada.subscribe(name(50))
  expect(ada.types()).toEqual(['refused', 'subscribed'])
})

test('RULE-61 a failed check creates no subscription', async () => {
  const { state, client, happen } = open()
  state.error = new AppError('DATABASE_UNAVAILABLE')
  const ada = client('ada')
  await expect(ada.subscribe()).rejects.toThrow(AppError)
  state.error = undefined
  // The failed attempt leaves no subscription behind.
  await ada.subscribe()
  expect(ada.types()).toEqual(['refused'])
  state.readers = new Set(['ada'])
  happen()
  await sleep(5)
  expect(ada.types()).toEqual(['refused'])
})
