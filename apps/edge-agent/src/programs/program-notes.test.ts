import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../testing/is-alive.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { processOf } from './process-group.ts'
import { createProgramNotes } from './program-notes.ts'

/** A program whose first process has a child, and ends when its input does. */
async function program() {
  const script = 'sleep 600 & echo $!; read line'
  const first = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
  const pid = first.pid ?? 0
  const child = Number(String((await once(first.stdout, 'data'))[0]))
  onTestFinished(() => {
    for (const one of [pid, child]) if (isAlive(one)) process.kill(one, 'SIGKILL')
  })
  return {
    pid,
    child,
    async end(): Promise<void> {
      first.stdin.end()
      await once(first, 'exit')
    },
  }
}

const notesOf = async (folder: string): Promise<unknown> =>
  JSON.parse(await readFile(join(folder, 'programs.json'), 'utf8'))

test('the processes of a program that a killed agent has left end, although the first one ended before', async () => {
  const folder = await temporaryFolder()
  const { pid, child, end } = await program()
  await createProgramNotes(folder).started('kiosk', pid)
  await end()
  expect(isAlive(child)).toBe(true)
  await createProgramNotes(folder).killRemaining('kiosk')
  await expect.poll(() => isAlive(child)).toBe(false)
})

test.each([
  ['started at another time', (boot: string, ticks: number) => `${boot} ${ticks - 1}`, false],
  ['began before it', (boot: string, ticks: number) => `${boot} ${ticks + 1e6}`, true],
  ['belongs to another start of the machine', (_boot: string, ticks: number) => `another ${ticks}`, false],
])('a group with the id of a noted process that %s continues', async (_name, startOf, hasEnded) => {
  const folder = await temporaryFolder()
  const { pid, child, end } = await program()
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
  const startedAt = startOf(boot, (await processOf(pid))?.startedAt ?? 0)
  const kiosk = { isStopped: false, process: { pid, startedAt } }
  await writeFile(join(folder, 'programs.json'), JSON.stringify({ kiosk }))
  if (hasEnded) await end()
  await createProgramNotes(folder).killRemaining('kiosk')
  // A killed process exists until the system has noticed its end.
  await once(spawn('/bin/true'), 'exit')
  expect(await readFile(`/proc/${child}/stat`, 'utf8')).toMatch(/\) [SR] /)
})

test('an order that could not be noted does not take effect with the next note', async () => {
  const folder = await temporaryFolder()
  const notes = createProgramNotes(folder)
  const blocked = join(folder, 'programs.json.next')
  await mkdir(blocked)
  await expect(notes.setStopped('kiosk', true)).rejects.toThrow()
  expect(await notes.isStopped('kiosk')).toBe(false)
  // A program that is not stopped starts without a note.
  await notes.setStopped('kiosk', false)
  await rmdir(blocked)
  await notes.started('kiosk', process.pid)
  expect(await notesOf(folder)).toMatchObject({ kiosk: { isStopped: false, process: { pid: process.pid } } })
})

test('a program that has ended has no noted process, whose id another one may get', async () => {
  const folder = await temporaryFolder()
  const notes = createProgramNotes(folder)
  for (const end of [() => notes.ended('kiosk'), () => notes.setStopped('kiosk', true)]) {
    await notes.started('kiosk', process.pid)
    expect(await notesOf(folder)).toMatchObject({ kiosk: { process: { pid: process.pid } } })
    await end()
    expect(await notesOf(folder)).toMatchObject({ kiosk: { process: null } })
  }
})
