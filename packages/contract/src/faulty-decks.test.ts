import { expect, test } from 'vitest'
import type { EdgeReport } from './edge-agent.ts'
import { repairEdgeReport } from './edge-report-repair.ts'

const deck = { model: 'XL', firmware: '1', columns: 8, rows: 4, width: 768, height: 384, problem: null }
const report: EdgeReport = {
  hostname: 'edge-1',
  platform: 'linux x64',
  load: [0, 0, 0],
  cores: 1,
  memory: { total: 1, free: 1 },
  disk: null,
  addresses: [],
  uptime: 1,
  agentUptime: 1,
  decks: { driver: 'ready', reason: null, devices: [] },
  instances: [],
}

test('odd decks in a report are shown as faulty, and the others are used', () => {
  const devices = [
    { ...deck, serial: '' },
    { ...deck, serial: 'AL01' },
    { ...deck, serial: 'Invalid SN! ' },
    { ...deck, serial: 'AL01' },
    { ...deck, serial: 'AL02', columns: 900 },
    { ...deck, serial: 'AL03' },
    null,
    { ...deck, serial: '\u0007'.repeat(300), model: 'M\u0007'.repeat(300) },
  ]
  const decks = {
    driver: 'ready',
    reason: null,
    devices,
    faulty: [{ path: '/dev/a', model: 'MK.2', fault: 'later', detail: null }],
  }
  const repaired = repairEdgeReport({ ...report, decks })?.report.decks
  // A repeated serial number alone is no valid report either.
  const twins = { driver: 'ready', reason: null, devices: [devices[1], devices[3]] }
  expect(repairEdgeReport({ ...report, decks: twins })?.report.decks).toMatchObject({
    devices: [{ serial: 'AL01' }],
    faulty: [{ path: '#2', fault: 'same-serial' }],
  })
  expect(repaired?.devices.map(({ serial }) => serial)).toEqual(['AL01', 'AL03'])
  expect(repaired?.faulty).toEqual([
    { path: '/dev/a', model: 'MK.2', fault: 'broken', detail: null },
    { path: '#1', model: 'XL', fault: 'no-serial', detail: null },
    { path: '#3', model: 'XL', fault: 'no-serial', detail: expect.stringContaining('Invalid SN!') },
    { path: '#4', model: 'XL', fault: 'same-serial', detail: 'AL01' },
    { path: '#5', model: 'XL', fault: 'unknown-model', detail: 'AL02' },
    { path: '#7', model: '', fault: 'no-serial', detail: null },
    { path: '#8', model: 'M '.repeat(50), fault: 'no-serial', detail: ' '.repeat(64) },
  ])
})
