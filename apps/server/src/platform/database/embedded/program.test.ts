import { expect, onTestFinished, test } from 'vitest'
import { runProgram } from './program.ts'

test('nodejs/node#5637 a program ends with its own exit, even if a process that it leaves holds its output', async () => {
  const script = 'sleep 600 & echo $!; echo fault >&2; exit 3'
  const { succeeded, stdout, stderr } = await runProgram('/bin/sh', ['-c', script])
  onTestFinished(() => void process.kill(Number(stdout), 'SIGKILL'))
  expect({ succeeded, stdout, stderr }).toEqual({
    succeeded: false,
    stdout: expect.stringMatching(/^\d+\n$/),
    stderr: 'fault',
  })
})

test('a program that does not exist, or is killed, fails with the reason', async () => {
  expect(await runProgram('/no/such/program', [])).toMatchObject({
    succeeded: false,
    stderr: 'spawn /no/such/program ENOENT',
  })
  expect(await runProgram('/bin/sh', ['-c', 'kill -9 $$'])).toMatchObject({
    succeeded: false,
    stderr: 'ended by SIGKILL',
  })
})
