import { expect, test } from 'vitest'
import {
  agentMessage,
  commonEdgeProtocol,
  type EdgeReport,
  edgeDeck,
  edgeServerMessage,
} from './edge-agent.ts'

const instance = { key: 'player', label: 'Player', state: 'running', canRestart: true } as const
const studio = {
  serial: 'AL01',
  model: 'Studio',
  firmware: '1',
  columns: 17,
  rows: 2,
  width: 2304,
  height: 224,
  problem: null,
}
const report: EdgeReport = {
  hostname: 'edge-1',
  platform: 'linux x64',
  load: [0, 0, 0],
  cores: 4,
  memory: { total: 8, free: 3 },
  disk: null,
  addresses: [],
  uptime: 1,
  agentUptime: 1,
  decks: { driver: 'ready', reason: null, devices: [] },
  instances: [],
}

const isAccepted = (message: object) => agentMessage.safeParse(message).success
const reportIsAccepted = (changes: Partial<EdgeReport>) =>
  isAccepted({ type: 'report', report: { ...report, ...changes } })

test.each([
  ['an unpaired high surrogate', 'a\ud800', false],
  ['an unpaired low surrogate', '\udc00a', false],
  ['a NUL', 'a\0', false],
  ['a line end', 'a\nb', false],
  ['a surrogate pair', 'a😀', true],
])('RULE-76 text with %s gets the same verdict in every field of an agent', (_name, text, isGood) => {
  const command = '018f0000-0000-7000-8000-000000000000'
  const answer = { type: 'answer', command, lines: [] }
  const decks = (changes: object) => ({ ...report.decks, ...changes })
  for (const changes of [
    { hostname: text },
    { platform: text },
    { addresses: [text] },
    { decks: decks({ reason: text }) },
    { decks: decks({ devices: [{ ...studio, model: text }] }) },
    { decks: decks({ devices: [{ ...studio, firmware: text }] }) },
    { decks: decks({ devices: [{ ...studio, problem: text }] }) },
    { instances: [{ ...instance, label: text }] },
  ])
    expect(reportIsAccepted(changes)).toBe(isGood)
  expect(isAccepted({ ...answer, lines: [text] })).toBe(isGood)
  expect(isAccepted({ ...answer, outcome: { ok: true, info: text } })).toBe(isGood)
  expect(isAccepted({ ...answer, outcome: { ok: false, error: text } })).toBe(isGood)
  const hello = { type: 'hello', protocol: 1, token: 't', run: command }
  expect(isAccepted({ ...hello, version: text })).toBe(isGood)
})

test('RULE-76 instances of an edge have unique keys', () => {
  expect(reportIsAccepted({ instances: [instance, { ...instance, key: 'mixer' }] })).toBe(true)
  expect(reportIsAccepted({ instances: [instance, { ...instance, label: 'Mixer' }] })).toBe(false)
})

test('RULE-76 a deck has at most the keys and pixels of the largest models', () => {
  const isGood = (changes: object) => edgeDeck.safeParse({ ...studio, ...changes }).success
  expect(isGood({})).toBe(true)
  expect(isGood({ columns: 9, rows: 4, width: 1008, height: 448 })).toBe(true)
  expect(isGood({ columns: 3, rows: 1, width: 0, height: 0 })).toBe(true)
  for (const changes of [
    { width: 4096, height: 1 },
    { width: 1000, height: 601 },
    { columns: 33, rows: 2 },
  ])
    expect(isGood(changes)).toBe(false)
})

test.each([
  ['today’s agent', { min: 1, max: 2 }, 2],
  ['an agent of the first protocol', { min: 1, max: 1 }, 1],
  ['an agent of the next release', { min: 2, max: 3 }, 2],
  ['an agent that is too new', { min: 3, max: 4 }, undefined],
  ['an agent that is too old', { min: 0, max: 0 }, undefined],
  ['a reversed range', { min: 2, max: 1 }, undefined],
])('the server and %s use the newest protocol that both speak', (_name, range, chosen) => {
  expect(commonEdgeProtocol(range)).toBe(chosen)
})

test('both sides accept messages with unknown fields and drop the fields at every depth', () => {
  const more = { news: ['x'] }
  const memory = { ...report.memory, ...more }
  const decks = { ...report.decks, ...more, devices: [{ ...studio, ...more }] }
  const instances = [{ ...instance, ...more }]
  const sent = { type: 'report', ...more, report: { ...report, ...more, memory, decks, instances } }
  const kept = { ...report, decks: { ...report.decks, devices: [studio] }, instances: [instance] }
  expect(agentMessage.parse(sent)).toEqual({ type: 'report', report: kept })
  const id = '018f0000-0000-7000-8000-000000000000'
  const command = { type: 'command', id, command: { name: 'restart' } }
  const received = { ...command, ...more, command: { ...command.command, ...more } }
  expect(edgeServerMessage.parse(received)).toEqual(command)
})
