import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { createAdopted } from './adopted.ts'
import { createLogStore } from './log-store.ts'
import { createLogText } from './log-text.ts'

/** Replaces the commands of systemd by scripts that write their arguments to a file. */
async function adopt(show: string, journal: string) {
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

test('the journal of a unit is followed only while it is read', async () => {
  const lines = ['2026-11-25T20:48:54+0100 hall player[31]: a secret', '-- No entries --']
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
