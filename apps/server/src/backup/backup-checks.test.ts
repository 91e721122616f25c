import { expect, test } from 'vitest'
import { checkBackups } from './backup-checks.ts'
import type { FoundBackups } from './read-backups.ts'

const archiveAt = (createdAt: string) => ({
  name: `${createdAt.slice(0, 10)}.pult`,
  createdAt,
  size: 1,
  isEncrypted: true,
  provenAt: createdAt,
})
const backups: FoundBackups = {
  now: Date.parse('2026-11-28T12:00:00Z'),
  place: '/backups',
  hasKey: true,
  schedule: 'daily',
  next: null,
  drill: 'each',
  running: null,
  failure: null,
  missing: 0,
  provenAt: '2026-11-28T02:10:00Z',
  drillFailure: null,
  archives: [archiveAt('2026-11-28T02:00:00Z')],
  trouble: null,
}

function checksOf(changes: Partial<FoundBackups>): [id: string, what: string][] {
  const found: [string, string][] = []
  checkBackups({ ...backups, ...changes }, (id, _level, what) => found.push([id, what.de]))
  return found
}

test('olahallengren/sql-server-maintenance-solution#92 an archive of the future is named and is not the newest', () => {
  expect(checksOf({})).toEqual([])
  const ahead = archiveAt('2026-12-28T02:00:00Z')
  expect(checksOf({ archives: [ahead, ...backups.archives] })).toEqual([
    ['backup.ahead', expect.stringContaining('2026-12-28.pult (2026-12-28)')],
  ])
  expect(checksOf({ archives: [ahead, archiveAt('2026-11-20T02:00:00Z')] })).toEqual([
    ['backup.ahead', expect.any(String)],
    ['backup.old', 'The newest backup is 8 days old'],
  ])
  expect(checksOf({ archives: [ahead] })).toContainEqual(['backup.old', 'There is no backup yet'])
})

test.each<[FoundBackups['schedule'], string, string[]]>([
  ['hourly', '2026-11-28T09:01:00Z', []],
  ['hourly', '2026-11-28T09:00:00Z', ['warning: The newest backup is 3 hours old']],
  ['hourly', '2026-11-26T12:00:01Z', ['warning: The newest backup is 47 hours old']],
  ['hourly', '2026-11-26T12:00:00Z', ['danger: The newest backup is 2 days old']],
  ['daily', '2026-11-26T12:00:01Z', []],
  ['daily', '2026-11-26T12:00:00Z', ['danger: The newest backup is 2 days old']],
])('with the schedule %s, a newest backup of %s is reported as %j', (schedule, createdAt, expected) => {
  const found: string[] = []
  checkBackups({ ...backups, schedule, archives: [archiveAt(createdAt)] }, (id, level, what) => {
    if (id === 'backup.old') found.push(`${level}: ${what.de}`)
  })
  expect(found).toEqual(expected)
})

test('restic#5731 archives that cannot be read are named beside the others', () => {
  expect(checksOf({ unreadable: ['a.pult (EACCES)', 'b.pult (EACCES)'] })).toEqual([
    ['backup.unreadable', 'These archives cannot be read: a.pult (EACCES), b.pult (EACCES)'],
  ])
})

test('longhorn/longhorn#7814 while a backup runs, the remedy for an old one is to wait for it', () => {
  const fixes: string[] = []
  const old = { archives: [archiveAt('2026-11-26T02:00:00Z')] }
  for (const running of [null, { startedAt: '2026-11-27T02:00:00Z', progress: null }])
    checkBackups({ ...backups, ...old, running }, (id, _level, _what, fix) => {
      if (id === 'backup.old') fixes.push(fix.de)
    })
  expect(fixes).toEqual([
    expect.stringMatching(/^Make a backup on the Root page/),
    expect.stringMatching(/^A backup has been running since 2026-11-27 02:00 UTC: wait for its end/),
  ])
})

test('kubernetes-sigs/etcd-manager#18 archives that no backup has deleted are counted', () => {
  expect(checksOf({ surplus: 2 })).toEqual([])
  expect(checksOf({ surplus: 7 })).toEqual([
    ['backup.surplus', '7 archives are older than the settings keep, and were not deleted'],
  ])
})
