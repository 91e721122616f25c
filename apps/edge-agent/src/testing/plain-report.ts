import type { EdgeReport } from '@pult/contract'

/** The report of a machine without disk, decks and programs. */
export const plainReport: EdgeReport = {
  hostname: 'hall-3',
  platform: 'linux x64',
  load: [0, 0, 0],
  cores: 2,
  memory: { total: 1e9, free: 5e8 },
  disk: null,
  addresses: [],
  uptime: 60,
  agentUptime: 60,
  decks: { driver: 'missing', reason: null, devices: [] },
  instances: [],
}
