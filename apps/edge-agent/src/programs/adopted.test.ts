import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { createAdopted } from './adopted.ts'
import { createLogStore } from './log-store.ts'
import { createLogText } from './log-text.ts'

type Clocks = ReturnType<NonNullable<Parameters<typeof createAdopted>[0]['clocks']>>

/** Replaces the commands of systemd by scripts that write their arguments to a file. */
async function adopt(show: string, journal: string, clocks?: Clocks) {
  const folder = await temporaryFolder()
  const script = async (name: string, text: string) => {
    const file = join(folder, name)
    await writeFile(file, `#!/bin/sh\necho "${name} $*" >> ${join(folder, 'calls')}\n${text}\n`)
    await chmod(file, 0o700)
    return file
  }
  const unit = createAdopted({
    key: 'player',
    unit: 'player.service',
    log: createLogStore({ folder: join(folder, 'logs') }),
    logText: createLogText([/secret/gu]),
    systemctl: [await script('systemctl', show)],
    journalctl: [await script('journalctl', journal)],
    ...(clocks !== undefined && { clocks: () => clocks }),
  })
  onTestFinished(() => unit.close())
  return { unit, calls: () => readFile(join(folder, 'calls'), 'utf8').catch(() => '') }
}

test('the state, restarts and last exit of a unit come from systemd, and orders go to it', async () => {
  const shown = [
    'LoadState=loaded',
    'ActiveState=activating',
    'NRestarts=7',
    'Result=oom-kill',
    'ExecMainCode=2',
    'ExecMainStatus=9',
    'StateChangeTimestamp=',
    'StateChangeTimestampMonotonic=1000000',
  ]
  const { unit, calls } = await adopt(`[ "$1" != show ] || printf '%s\\n' ${shown.join(' ')}`, '')
  await unit.open()
  expect(unit.state()).toBe('stopped')
  expect(unit.report()).toEqual({
    since: expect.any(Number),
    restarts: 7,
    lastExit: { code: null, signal: 'SIGKILL', reason: 'systemd: oom-kill' },
  })
  await unit.restart()
  expect(await calls()).toContain('systemctl restart player.service\n')
  const missing = await adopt('echo LoadState=not-found; echo ActiveState=inactive', '')
  await missing.unit.open()
  expect(missing.unit.state()).toBe('unknown')
  const refused = await adopt('echo Access denied >&2; exit 4', '')
  await expect(refused.unit.stop()).rejects.toThrow('it exited with code 4: Access denied')
})

const seconds = (count: number) => count * 1000
const hours = (count: number) => seconds(3600 * count)

const now = Date.parse('2026-11-28T15:00:00Z')

/** Shows a unit whose state began at these times, as `systemctl` does in the time zone of its caller. */
const shows = (day: string, monotonic: number) =>
  `[ "$TZ" = UTC ] && zone=UTC || zone=CET
   echo LoadState=loaded; echo ActiveState=active
   echo "StateChangeTimestamp=${day === '' ? '' : `${day} $zone`}"; echo StateChangeTimestampMonotonic=${monotonic * 1000}`

const usual = { day: now, monotonic: hours(900), uptime: hours(900) }

test.each([
  [
    'PatchMon/PatchMon#257 in a container with its own uptime and the clock of its host',
    shows('Sat 2026-11-28 14:00:00', hours(899)),
    { ...usual, uptime: hours(10) },
    hours(1),
  ],
  [
    'lxc/lxcfs#189 in a container whose systemd counts 30 days more than the agent',
    shows('Sat 2026-11-28 14:00:00', hours(1619)),
    usual,
    hours(1),
  ],
  [
    'after a sleep of the machine, which the monotonic clock leaves out',
    shows('Sat 2026-11-28 06:00:00', hours(1)),
    { ...usual, monotonic: hours(2), uptime: hours(10) },
    hours(9),
  ],
  [
    'on a board whose clock was wrong when it started',
    shows('Wed 2026-11-25 15:00:00', seconds(20)),
    { day: now, monotonic: seconds(600), uptime: seconds(600) },
    seconds(580),
  ],
  [
    'home-assistant/supervisor#7212 ten minutes before the clock was set three hours ahead',
    shows('Sat 2026-11-28 11:50:00', hours(48) - seconds(600)),
    { day: now, monotonic: hours(48), uptime: hours(48) },
    seconds(600),
  ],
  ['after the clock was set back', shows('Sun 2026-11-29 15:00:00', hours(898)), usual, hours(2)],
  ['of a systemd that shows fractions', shows('Sat 2026-11-28 14:59:30.123456', 0), usual, seconds(30)],
  ['without a time of the day', shows('', hours(897)), usual, hours(3)],
  ['with an unreadable time of the day', shows('n/a', hours(897)), usual, hours(3)],
  ['that begins this moment', shows('Sat 2026-11-28 15:00:00', hours(900)), usual, 0],
])('the state of a unit %s began at its true time', async (_name, show, clocks, expected) => {
  const { unit } = await adopt(show, '', clocks)
  await unit.open()
  expect(unit.report().since).toBe(expected / 1000)
})

test('a unit that never started has no time, and the clocks of this machine are plausible', async () => {
  const { unit } = await adopt(shows('', 0), '')
  await unit.open()
  expect(unit.report().since).toBeNull()
  const started = Number(process.hrtime.bigint() / 1_000_000n) - seconds(3)
  const running = await adopt(shows('', started), '')
  await running.unit.open()
  // The machine of the test has been running for longer, and is slow at most for minutes.
  expect(running.unit.report().since).toBeGreaterThanOrEqual(3)
  expect(running.unit.report().since).toBeLessThan(300)
})

const entry = (at: string, fields: object) =>
  JSON.stringify({
    __REALTIME_TIMESTAMP: `${Date.parse(at)}000`,
    SYSLOG_IDENTIFIER: 'player',
    _PID: '31',
    ...fields,
  })

test('the journal of a unit is followed only while it is read', async () => {
  const lines = [entry('2026-11-25T19:48:54Z', { MESSAGE: 'a secret' }), '-- No entries --']
  const { unit, calls } = await adopt('', `printf '%s\\n' '${lines.join("' '")}'; exec sleep 600`)
  await unit.open()
  expect(await calls()).not.toContain('journalctl')
  const read = async () => (await unit.log.read({ after: 0 })).lines
  await expect
    .poll(read)
    .toEqual([
      '2026-11-25T19:48:54.000Z player[31]: a [redacted]',
      expect.stringMatching(/^\S+ -- No entries --$/),
    ])
  await unit.log.read({ after: 2 })
  expect((await calls()).split('journalctl').length - 1).toBe(1)
  await unit.close()
  // The next read begins with the same lines, under other numbers.
  expect(await unit.log.read({ after: 0 })).toMatchObject({ first: 3, oldest: 3 })
})

test('an entry of the journal that is too large is named at its place, and the following ones are read', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'journal')
  const large = entry('2026-11-25T20:00:01Z', { MESSAGE: 'x'.repeat(3_000_000) })
  const long = entry('2026-11-25T20:00:02Z', { MESSAGE: `begin${'y'.repeat(20_000)}end` })
  const first = entry('2026-11-25T20:00:00Z', { MESSAGE: 'one' })
  await writeFile(file, `${[first, large, long].join('\n')}\n`)
  const { unit } = await adopt('', `cat ${file}; exec sleep 600`)
  const read = async () => (await unit.log.read({ after: 0 })).lines
  await expect.poll(read).toHaveLength(3)
  expect(await read()).toEqual([
    '2026-11-25T20:00:00.000Z player[31]: one',
    '2026-11-25T20:00:00.000Z [agent] An entry is too large to be shown',
    expect.stringMatching(/^2026-11-25T20:00:02\.000Z … \(\d+ more characters\) … y+end$/),
  ])
})

/** Writes a journal of systemd from its export format. Part of a package that few machines have. */
const remote = '/lib/systemd/systemd-journal-remote'
const hasJournal = [['journalctl'], [remote]].every(
  ([file = '']) => spawnSync(file, ['--version']).status === 0,
)

test.skipIf(!hasJournal)(
  'alp82/curia#190 each entry of a real journal is readable, with its own time',
  async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'journal'))
    const texts = [
      'plain — “quotes”',
      'Error\n    at play\n    at main',
      'frame=1\rframe=2\r',
      Buffer.from('T\xfcr', 'latin1'),
      '',
      'z'.repeat(50_000),
    ]
    const exported = texts.map((text, index) => {
      const content = Buffer.from(text)
      const size = Buffer.alloc(8)
      size.writeBigUInt64LE(BigInt(content.length))
      // The binary form cannot be empty.
      const message = [Buffer.from('MESSAGE\n'), size, content, Buffer.from('\n')]
      return Buffer.concat([
        Buffer.from(`__REALTIME_TIMESTAMP=${now + index * 60_000}000
__MONOTONIC_TIMESTAMP=${index + 1}000000
_BOOT_ID=0123456789abcdef0123456789abcdef
_MACHINE_ID=0123456789abcdef0123456789abcdef
_SYSTEMD_UNIT=player.service
SYSLOG_IDENTIFIER=player
_PID=31
`),
        ...(content.length === 0 ? [Buffer.from('MESSAGE=\n')] : message),
        Buffer.from('\n'),
      ])
    })
    const file = join(folder, 'journal', 'a.journal')
    const writer = spawn(remote, [`--output=${file}`, '-'], { stdio: ['pipe', 'ignore', 'inherit'] })
    writer.stdin.end(Buffer.concat(exported))
    expect(await once(writer, 'close')).toEqual([0, null])
    const { unit } = await adopt('', `exec /usr/bin/env journalctl --directory=${folder}/journal "$@"`)
    const read = async () => (await unit.log.read({ after: 0 })).lines
    await expect.poll(read).toHaveLength(8)
    expect(await read()).toEqual([
      '2026-11-28T15:00:00.000Z player[31]: plain — “quotes”',
      '2026-11-28T15:01:00.000Z player[31]: Error',
      '2026-11-28T15:01:00.000Z player[31]:     at play',
      '2026-11-28T15:01:00.000Z player[31]:     at main',
      '2026-11-28T15:02:00.000Z player[31]: frame=2',
      '2026-11-28T15:03:00.000Z player[31]: T\ufffdr',
      '2026-11-28T15:04:00.000Z player[31]: ',
      expect.stringMatching(/^2026-11-28T15:05:00\.000Z … \(\d+ more characters\) … z+$/),
    ])
  },
)
