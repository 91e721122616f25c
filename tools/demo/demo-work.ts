import { type EdgeReport, taskMessageOf, withReason } from '@pult/contract'
import { AppError } from '../../apps/server/src/platform/app-error.ts'
import { messageOfRefusal } from '../../apps/server/src/tasks/task-refusal.ts'
import type { DemoRecords } from './demo-records.ts'

interface Places {
  terminal: string
  shorePower: string
  festival: string
}

/** Adds ended tasks of the last days with every outcome, and an edge that has gone offline. */
export async function addWork(demo: DemoRecords, { terminal, shorePower, festival }: Places): Promise<void> {
  const { at } = demo
  await demo.task(at(6, '08:10'), 'ingrid', shorePower, {
    type: 'invite-batch',
    title: 'Schichtplan KW 46.csv',
    seconds: 21,
    progress: [14, 14],
    info: taskMessageOf('people-invited', { invited: 12, present: 1, refused: 1 }),
    log: [
      withReason(
        'list-line',
        { line: 4, email: 'janssen@nordkai.example' },
        messageOfRefusal(new AppError('ALREADY_MEMBER')),
      ),
      withReason(
        'list-line',
        { line: 9, email: 'wache@nordkai.example' },
        taskMessageOf('role-not-in-project', { role: 'project/guard' }),
      ),
    ],
  })
  await demo.task(at(5, '13:42'), 'tomasz', terminal, {
    type: 'edge-restart',
    title: 'Spreader-Kamera (Containerbrücke 4)',
    seconds: 34,
    error: 'Spreader-Kamera was not restarted: it exited with code 1',
    log: [
      '$ systemctl restart spreader-camera.service',
      'Failed to restart spreader-camera.service: Unit not found.',
    ],
  })
  await demo.task(at(4, '05:31'), 'henrik', shorePower, {
    type: 'project-import',
    title: 'Landstrom Kai 6.zip',
    seconds: 3,
    error: withReason(
      'not-an-export',
      {},
      taskMessageOf('entry-not-known', { path: 'Landstrom Kai 6.xlsx' }),
    ),
  })
  await demo.task(at(3, '06:05'), 'henrik', shorePower, {
    type: 'edge-diagnostics',
    title: 'Pumpenhaus Kai 6',
    seconds: 120,
    progress: [3, 7],
    end: 'timed-out',
    log: [
      'Load 0.42 0.38 0.31 on 4 core(s)',
      'Memory 2.7 GB of 3.9 GB used',
      'pult.nordkai.example resolves to 203.0.113.5',
    ],
  })
  await demo.task(at(2, '09:14'), 'ingrid', shorePower, {
    type: 'project-export',
    kind: 'download-generation',
    title: 'Landstrom Kai 7',
    seconds: 48,
    progress: [311, 960],
    end: 'aborted',
  })
  await demo.task(at(1, '06:20'), 'aylin', festival, {
    type: 'media-transcode',
    title: 'Generalprobe, Akt 2',
    seconds: 9,
    error: taskMessageOf('picture-broken'),
  })
  await demo.silentEdge(at(16, '09:50'), at(2, '16:37'), 'henrik', shorePower, {
    label: 'Pumpenhaus Kai 6',
    report: pumpHouse,
  })
}

const gigabyte = 1024 ** 3

const pumpHouse: EdgeReport = {
  hostname: 'pumpenhaus-6',
  platform: 'linux arm64',
  load: [0.42, 0.38, 0.31],
  cores: 4,
  memory: { total: 3.9 * gigabyte, free: 1.2 * gigabyte },
  disk: { total: 58 * gigabyte, free: 6.1 * gigabyte },
  addresses: ['203.0.113.66', '2001:db8:6::66'],
  uptime: 1_204_310,
  agentUptime: 802_114,
  decks: { driver: 'missing', reason: null, devices: [] },
  instances: [
    { key: 'pumps', label: 'Pumpensteuerung', state: 'running', canRestart: true },
    { key: 'level', label: 'Pegelmessung', state: 'running', canRestart: false },
  ],
}
