import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { memoryOfGroup } from './memory.ts'

const mebibytes = 2 ** 20

test('openwpm/OpenWPM#596 memory that five processes share with their parent counts once', async () => {
  const folder = await temporaryFolder()
  // The shells share the variable. They wait for a writer of the pipe.
  const script = `mkfifo ${folder}/never
    shared=$(head -c 40000000 /dev/zero | tr '\\0' x)
    for number in 1 2 3 4 5; do ( echo ready; read line < ${folder}/never ) & done
    wait`
  const shell = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void process.kill(-(shell.pid ?? 0), 'SIGKILL'))
  let ready = ''
  shell.stdout.on('data', (chunk: Buffer) => (ready += chunk.toString()))
  await expect.poll(() => ready).toBe('ready\n'.repeat(5))
  const status = await readFile(`/proc/${shell.pid}/status`, 'utf8')
  const one = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
  expect(one).toBeGreaterThan(40 * mebibytes * 0.9)
  const all = await memoryOfGroup(shell.pid ?? 0)
  expect(all).toBeGreaterThan(30 * mebibytes)
  expect(all).toBeLessThan(one * 2)
})

/** Writes the files of a process, as the system shows them. */
async function processIn(root: string, pid: number, files: Record<string, string>) {
  await mkdir(join(root, String(pid)))
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, String(pid), name), text)
}

test('processes that hide their pages count with their own memory, and with the largest shared one once', async () => {
  const root = await temporaryFolder()
  const stat = (name: string) => `7 (${name}) S 1 42 42 0 -1`
  const hidden = 'VmRSS:\t  900000 kB\nRssAnon:\t   10000 kB\nRssFile:\t  690000 kB\nRssShmem:\t  200000 kB\n'
  await processIn(root, 42, { stat: stat('a) (b'), smaps_rollup: 'Rss:   5000 kB\nPss:    1000 kB\n' })
  await processIn(root, 43, { stat: stat('renderer'), status: hidden })
  await processIn(root, 44, { stat: stat('renderer'), status: hidden })
  // An old kernel, a process that has just ended, and another group.
  await processIn(root, 45, { stat: stat('old'), status: 'VmRSS:\t  3000 kB\n' })
  await processIn(root, 46, { stat: stat('gone') })
  await processIn(root, 47, { stat: '7 (other) S 1 47 47 0 -1', status: hidden })
  expect(await memoryOfGroup(42, root)).toBe((1000 + 2 * 10_000 + 3000 + 200_000) * 1024)
  expect(await memoryOfGroup(42, join(root, 'none'))).toBe(0)
})
