import { once } from 'node:events'
import { mkdir, readFile, rmdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { edgeCloseCodes } from '@pult/contract'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { lastLines } from './agent-log.ts'
import { createCommandMemory } from './command-memory.ts'
import { createConnection } from './connection.ts'
import { createDecks } from './decks.ts'
import { type ConfiguredCommand, createDeclaredCommands } from './declared-commands.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { createInstances, type Instances } from './instances.ts'
import { readState, writeState } from './state.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'
import { createUpdates } from './updates.ts'

const own = [{ key: 'kiln.a', value: 900, unit: '°C' }]

const ends: (() => void | Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

type Message = Record<string, unknown> & { type: string }

interface Configured {
  folder?: string
  commands?: ConfiguredCommand[]
  instances?: Partial<Instances>
  /** The statuses with which the first attempts to connect are refused. */
  refusals?: readonly number[]
  stateFolder?: string
  onEnd?: (code: ExitCode) => void
  noteReached?: () => void
}

const program = { since: 5, restarts: 0, lastExit: null }
const player = { key: 'player', label: 'Player', state: 'running' as const, canRestart: true }

/** Connects the agent to a server whose answers the test controls. Returns the messages that the server receives. */
async function connectTo(
  onMessage: (message: Message, ws: WebSocket) => void,
  {
    folder = '/',
    stateFolder = '/',
    commands = [],
    instances = {},
    refusals = [],
    onEnd = () => {},
    noteReached = () => {},
  }: Configured = {},
): Promise<Message[]> {
  const left = [...refusals]
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    verifyClient: (_client, accept) => {
      const status = left.shift()
      accept(status === undefined, status)
    },
  })
  await once(server, 'listening')
  const received: Message[] = []
  server.on('connection', (ws) =>
    ws.on('message', (data) => {
      const message = JSON.parse((data as Buffer).toString()) as Message
      received.push(message)
      onMessage(message, ws)
    }),
  )
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const connection = createConnection({
    server: url,
    token: 't',
    releaseKey: undefined,
    enrolment: undefined,
    stateFolder,
    instances: { ...createInstances([], { stateFolder: '/', redact: [] }), ...instances },
    commands: createDeclaredCommands(commands),
    memory: createCommandMemory(folder),
    decks: createDecks(),
    updates: createUpdates({
      server: url,
      stateFolder: '/',
      running: '2.4.0',
      callSupervisor: undefined,
      noteReached,
      isOnTrial: false,
    }),
    values: { report: () => own },
    longPauses: { first: 50, longest: 500, look: 20 },
  })
  const ended = connection.stayConnected()
  void ended.then(onEnd)
  ends.push(() => server.close())
  ends.push(() => {
    connection.stop(exitCodes.stopped)
    return ended
  })
  return received
}

test('the agent greets a server of the previous protocol in its format, and reports', async () => {
  const instances = { report: () => [{ ...player, program }] }
  const received = await connectTo(
    (message, ws) => {
      if (message.type !== 'hello') return
      // The server of protocol 1 accepted exact messages only.
      const isKnown = Object.keys(message).toSorted().join(' ') === 'protocol run token type version'
      if (!isKnown) ws.close(edgeCloseCodes.badMessage)
      else ws.send(JSON.stringify({ type: 'welcome', label: 'Hall 3', reportEvery: 5000 }))
    },
    { instances },
  )
  await expect.poll(() => received.map(({ type }) => type)).toEqual(['hello', 'hello', 'report'])
  expect(received[0]).toMatchObject({ protocol: 2, protocols: { min: 1, max: 2 } })
  expect(received[1]).toMatchObject({ protocol: 1 })
  expect(Object.keys(received[2] ?? {})).toEqual(['type', 'report'])
  for (const later of ['values', 'update', 'commands'])
    expect(received[2]?.['report']).not.toHaveProperty(later)
  expect(received[2]).toMatchObject({ report: { instances: [player] } })
  expect(JSON.stringify(received[2])).not.toContain('restarts')
})

test('the agent sends log lines only as answers, one after the other, within the rate limit', async () => {
  const id = (index: number) => `018f0000-0000-7000-8000-${String(index).padStart(12, '0')}`
  let reading = 0
  const readLog: Instances['readLog'] = async (_key, { after }) => {
    reading += 1
    expect(reading).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    reading -= 1
    return { first: after + 1, lines: ['a line'], oldest: 1 }
  }
  const instances = { report: () => [{ ...player, program }], readLog }
  const received = await connectTo(
    ({ type }, ws) => {
      if (type === 'hello')
        ws.send(JSON.stringify({ type: 'welcome', label: 'Hall 3', reportEvery: 5000, protocol: 2 }))
      if (type !== 'report') return
      for (let index = 0; index < 100; index += 1)
        ws.send(JSON.stringify({ type: 'log', id: id(index), key: 'player', after: index }))
    },
    { instances },
  )
  const answers = () => received.filter(({ type }) => type === 'log')
  await expect.poll(() => answers().length).toBe(20)
  expect(answers()[3]).toEqual({ type: 'log', id: id(3), first: 4, lines: ['a line'], oldest: 1 })
})

test('an agent that awaits approval retries until the server admits it', async () => {
  let connections = 0
  const received = await connectTo(({ type }, ws) => {
    if (type !== 'hello') return
    connections += 1
    if (connections < 3) ws.close(edgeCloseCodes.waiting)
    else ws.send(JSON.stringify({ type: 'welcome', label: 'Hall 3', reportEvery: 5000, protocol: 2 }))
  })
  await expect.poll(() => received.map(({ type }) => type)).toEqual(['hello', 'hello', 'hello', 'report'])
  // The greeting stays the same: only an unknown message changes the protocol.
  expect(received[2]).toMatchObject({ protocol: 2 })
})

test('directus#18384 an agent that a proxy answers instead of the server logs the status and reconnects', async () => {
  const received = await connectTo(
    ({ type }, ws) => {
      if (type === 'hello')
        ws.send(JSON.stringify({ type: 'welcome', label: 'Hall 3', reportEvery: 5000, protocol: 2 }))
    },
    { refusals: [302, 403] },
  )
  await expect.poll(() => received.map(({ type }) => type)).toEqual(['hello', 'report'])
  const refusals = lastLines().flatMap(
    (line) => /Not connected to \S+: (Unexpected .*)/.exec(line)?.[1] ?? [],
  )
  expect(refusals).toEqual(['Unexpected server response: 302', 'Unexpected server response: 403'])
})

test.each([
  ['replaced', 'another agent has connected as this edge'],
  ['unauthenticated', 'the server does not admit this edge'],
  ['protocol', 'the agent and the server have no protocol in common'],
] as const)(
  'hashicorp/nomad#27675 wazuh/wazuh#38572 an agent that is closed with %s asks again later, and logs the reason once',
  async (code, reason) => {
    const logged = vi.spyOn(console, 'log').mockImplementation(() => {})
    onTestFinished(() => logged.mockRestore())
    let connections = 0
    const received = await connectTo(({ type }, ws) => {
      if (type !== 'hello') return
      connections += 1
      if (connections < 4) ws.close(edgeCloseCodes[code])
      else ws.send(JSON.stringify({ type: 'welcome', label: 'Hall 3', reportEvery: 5000, protocol: 2 }))
    })
    await expect.poll(() => received.some(({ type }) => type === 'report')).toBe(true)
    expect(connections).toBe(4)
    expect(logged.mock.calls.flat().filter((line) => String(line).includes(reason))).toHaveLength(1)
  },
)

test('wazuh/wazuh#38572 the agent stores the proof of its enrolment and shows it with the next connection', async () => {
  const stateFolder = await temporaryFolder()
  const state = { server: 'http://localhost', edge: 'e', token: 't', usedCode: 'c' }
  await writeState(stateFolder, state)
  const welcome = { type: 'welcome', label: 'Hall 3', reportEvery: 5000, protocol: 2, enrolment: 'proof' }
  const received = await connectTo(
    ({ type }, ws) => {
      if (type === 'hello') ws.send(JSON.stringify(welcome))
      if (type === 'report') ws.close(edgeCloseCodes.goingAway)
    },
    { stateFolder },
  )
  const hellos = () => received.filter(({ type }) => type === 'hello')
  await expect.poll(() => hellos().length).toBeGreaterThan(1)
  expect(hellos()[0]).not.toHaveProperty('enrolment')
  expect(hellos()[1]).toMatchObject({ enrolment: 'proof' })
  expect(await readState(stateFolder)).toEqual({ ...state, enrolment: 'proof' })
})

test('the agent stores the proof of its enrolment with a later welcome if the disk was full', async () => {
  const stateFolder = await temporaryFolder()
  await writeState(stateFolder, { server: 'http://localhost', edge: 'e', token: 't', usedCode: 'c' })
  const blocked = join(stateFolder, 'edge.json.next')
  await mkdir(blocked)
  let isFull = true
  await connectTo(
    ({ type }, ws) => {
      if (type === 'hello') ws.send(JSON.stringify({ ...welcome, enrolment: 'proof' }))
      if (type === 'report' && isFull) ws.close(edgeCloseCodes.goingAway)
    },
    { stateFolder },
  )
  const failures = () => lastLines().filter((line) => line.includes('The proof of the enrolment could not'))
  await expect.poll(() => failures().length).toBeGreaterThan(0)
  await rmdir(blocked)
  await expect.poll(() => readState(stateFolder)).toMatchObject({ enrolment: 'proof' })
  isFull = false
})

test.each([
  ['admits it', undefined],
  ['refuses it', edgeCloseCodes.unauthenticated],
  ['lets it wait', edgeCloseCodes.waiting],
])('an agent has reached a server that %s, but not one without its database', async (_name, code) => {
  const seen: string[] = []
  await connectTo(
    ({ type }, ws) => {
      if (type !== 'hello') return
      seen.push('hello')
      if (seen.length < 3) ws.close(edgeCloseCodes.tryAgainLater)
      else if (code === undefined) ws.send(JSON.stringify(welcome))
      else ws.close(code)
    },
    { noteReached: () => seen.push('reached') },
  )
  await expect.poll(() => seen.slice(0, 4)).toEqual(['hello', 'hello', 'hello', 'reached'])
})

test('a refused agent restarts with the new enrolment of its machine', async () => {
  const stateFolder = await temporaryFolder()
  const ended: ExitCode[] = []
  await connectTo(
    ({ type }, ws) => {
      if (type === 'hello') ws.close(edgeCloseCodes.unauthenticated)
    },
    { stateFolder, onEnd: (code) => ended.push(code) },
  )
  await writeState(stateFolder, { server: 'http://localhost', edge: 'e', token: 'new', usedCode: 'c' })
  await expect.poll(() => ended).toEqual([exitCodes.restart])
})

test('the agent ignores unknown fields and messages of a newer server, and refuses unknown commands', async () => {
  const id = '018f0000-0000-7000-8000-000000000000'
  const received = await connectTo(({ type }, ws) => {
    if (type !== 'hello') return
    ws.send(JSON.stringify({ type: 'weather', is: 'fine' }))
    ws.send(JSON.stringify({ type: 'welcome', label: 'Hall 3', reportEvery: 5000, protocol: 2, place: 'x' }))
    ws.send(JSON.stringify({ type: 'command', id, command: { name: 'dance', key: 'x' } }))
  })
  await expect.poll(() => received.map(({ type }) => type).toSorted()).toEqual(['answer', 'hello', 'report'])
  expect(received.find(({ type }) => type === 'answer')).toMatchObject({
    command: id,
    outcome: { ok: false, error: expect.stringContaining('does not know this command') },
  })
})

test('the agent resends its samples on the next connection until the server confirms them', async () => {
  let connections = 0
  const received = await connectTo((message, ws) => {
    if (message.type === 'hello') {
      connections += 1
      ws.send(JSON.stringify({ type: 'welcome', label: 'Hall 3', reportEvery: 1000, protocol: 2 }))
    } else if (connections === 1) ws.terminate()
    else ws.send(JSON.stringify({ type: 'kept', until: lastOf(message) }))
  })
  const reports = () => received.filter(({ type }) => type === 'report')
  await expect.poll(() => reports().length).toBeGreaterThan(2)
  const [first, second] = reports().map(timesOf)
  // The server has stored nothing of the first message, and all of the second.
  expect(second).toEqual(expect.arrayContaining<number>(first ?? [-1]))
  await expect
    .poll(() => Math.min(...reports().slice(-1).flatMap(timesOf)))
    .toBeGreaterThan(Math.max(...(second ?? [])))
  expect(reports()[1]?.['report']).toMatchObject({ values: own })
})

/** A command whose program adds a line to a file. */
const noted = (file: string): ConfiguredCommand => ({
  declaration: { key: 'note', label: 'Note', parameters: [] },
  run: ['/bin/sh', '-c', `echo ran >> ${file}; echo "it ran"; exit 3`],
  seconds: 10,
})
const id = '018f0000-0000-7000-8000-00000000000a'
const command = { type: 'command', id, command: { name: 'run', key: 'note', values: {} }, isRepeated: true }
const welcome = { type: 'welcome', label: 'Hall 3', reportEvery: 5000, protocol: 2 }

test('the agent executes a repeated command once and answers each repeat with its lines and first outcome', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'ran')
  let connections = 0
  const received = await connectTo(
    ({ type, ...message }, ws) => {
      const send = (what: object) => ws.send(JSON.stringify(what))
      if (type === 'hello') {
        connections += 1
        send(welcome)
        send(command)
        if (connections === 1) send(command)
      } else if ('outcome' in message && connections === 1) ws.terminate()
    },
    { folder, commands: [noted(file)] },
  )
  const answers = () => received.filter(({ type }) => type === 'answer')
  const outcomes = () => answers().flatMap((message) => ('outcome' in message ? [message['outcome']] : []))
  await expect.poll(() => connections > 1 && outcomes().length > 1).toBe(true)
  for (const outcome of outcomes()) expect(outcome).toEqual({ ok: false, error: 'It exited with code 3' })
  const withLines = answers().filter(({ lines }) => (lines as string[]).includes('it ran'))
  expect(withLines).toHaveLength(outcomes().length)

  // The next process of the agent remembers the command.
  const later = await connectTo(
    ({ type }, ws) => {
      if (type !== 'hello') return
      ws.send(JSON.stringify(welcome))
      ws.send(JSON.stringify(command))
    },
    { folder, commands: [noted(file)] },
  )
  await expect
    .poll(() => later.find((message) => 'outcome' in message))
    .toMatchObject({ outcome: outcomes()[0] })
  expect(await readFile(file, 'utf8')).toBe('ran\n')
})

test('a command that a former process began is not executed again', async () => {
  const folder = await temporaryFolder()
  const memory = createCommandMemory(folder)
  const restart = '018f0000-0000-7000-8000-00000000000b'
  await memory.begin(id, 'run')
  await memory.begin(restart, 'restart')
  const received = await connectTo(
    ({ type }, ws) => {
      if (type !== 'hello') return
      ws.send(JSON.stringify(welcome))
      ws.send(JSON.stringify(command))
      ws.send(JSON.stringify({ ...command, id: restart, command: { name: 'restart' } }))
    },
    { folder, commands: [noted(join(folder, 'ran'))] },
  )
  const outcomeOf = (commandId: string) =>
    received.find((message) => message['command'] === commandId && 'outcome' in message)?.['outcome']
  await expect.poll(() => outcomeOf(restart)).toEqual({ ok: true, info: 'The agent has restarted.' })
  await expect
    .poll(() => outcomeOf(id))
    .toMatchObject({ ok: false, error: expect.stringContaining('not known') })
  await expect(readFile(join(folder, 'ran'))).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a disk that cannot be written prevents other commands, but not the diagnostics that name it', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'commands.json.next'))
  const diagnostics = '018f0000-0000-7000-8000-00000000000d'
  const received = await connectTo(
    ({ type }, ws) => {
      if (type !== 'hello') return
      ws.send(JSON.stringify(welcome))
      ws.send(JSON.stringify(command))
      ws.send(JSON.stringify({ ...command, id: diagnostics, command: { name: 'diagnostics' } }))
    },
    { folder, commands: [noted(join(folder, 'ran'))] },
  )
  const outcomeOf = (commandId: string) =>
    received.find((message) => message['command'] === commandId && 'outcome' in message)?.['outcome']
  await expect.poll(() => outcomeOf(diagnostics)).toMatchObject({ ok: true })
  const lines = received.flatMap((message) => (message['command'] === diagnostics ? message['lines'] : []))
  expect(lines).toContainEqual(expect.stringMatching(/^Agent .*, Node /))
  expect(outcomeOf(id)).toMatchObject({ ok: false, error: expect.stringContaining('could not be saved') })
  await expect(readFile(join(folder, 'ran'))).rejects.toMatchObject({ code: 'ENOENT' })
})

test('the agent acknowledges a command before it starts, and a request for an outcome starts nothing', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'ran')
  const request = { ...command, command: { name: 'run', key: 'outcome-of-an-earlier-command', values: {} } }
  const unknown = '018f0000-0000-7000-8000-00000000000c'
  let isAsked = false
  const received = await connectTo(
    ({ type, ...message }, ws) => {
      const send = (what: object) => ws.send(JSON.stringify(what))
      if (type === 'hello') {
        send(welcome)
        send(command)
      } else if ('outcome' in message && !isAsked) {
        isAsked = true
        send(request)
        send({ ...request, id: unknown })
      }
    },
    { folder, commands: [noted(file)] },
  )
  const answersTo = (commandId: string) => received.filter((message) => message['command'] === commandId)
  const outcomes = (commandId: string) => answersTo(commandId).filter((message) => 'outcome' in message)
  await expect.poll(() => outcomes(id).length > 1 && outcomes(unknown).length > 0).toBe(true)
  expect(answersTo(id)[0]).toEqual({ type: 'answer', command: id, lines: [] })
  for (const answer of outcomes(id))
    expect(answer).toMatchObject({ outcome: { ok: false, error: 'It exited with code 3' } })
  // The server recognises the key in the refusal of an agent that does not remember the command.
  expect(outcomes(unknown)[0]).toMatchObject({
    outcome: { ok: false, error: expect.stringContaining('outcome-of-an-earlier-command') },
  })
  expect(await readFile(file, 'utf8')).toBe('ran\n')
})

const timesOf = (message: Message) => (message['samples'] as { at: number }[]).map(({ at }) => at)
const lastOf = (message: Message) => Math.max(...timesOf(message))
