import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { familySeconds, processorSeconds } from './processor-time.ts'

test('the processor time of a process family includes ended members', async () => {
  const burn = `const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);`
  const parent = spawn(process.execPath, [
    '-e',
    `const { spawnSync } = require('node:child_process')
     process.stdin.on('data', () => {
       spawnSync(process.execPath, ['-e', ${JSON.stringify(burn)}])
       process.stdout.write('done')
     })
     process.stdout.write('ready')`,
  ])
  await once(parent.stdout, 'data')
  const pid = parent.pid ?? 0
  const own = await processorSeconds(pid)
  const before = await familySeconds(pid)
  parent.stdin.write('go')
  await once(parent.stdout, 'data')
  expect((await familySeconds(pid)) - before).toBeGreaterThanOrEqual(0.3)
  expect((await processorSeconds(pid)) - own).toBeLessThan(0.3)
  parent.kill()
  await once(parent, 'exit')
  await expect(processorSeconds(pid)).rejects.toThrow('has ended')
})
