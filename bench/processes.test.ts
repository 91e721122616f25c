import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { freePort, plainEnvironment, runProcess, startProcess, stopAll, waitUntilFree } from './processes.ts'

afterEach(stopAll)

const started = (script: string, options = {}) =>
  startProcess({
    program: process.execPath,
    args: ['-e', script],
    cwd: import.meta.dirname,
    env: plainEnvironment(),
    ready: /^ready/,
    timeoutSeconds: 10,
    ...options,
  })

const stays = `console.log('first'); console.log('ready'); console.log('link /bift/abc'); setInterval(() => {}, 1000)`

test('a start measures the time to the ready line, finds later lines and stops the process', async () => {
  const running = await started(stays)
  expect(running.readyAfter).toBeGreaterThan(1)
  expect(await running.findLine(/\/bift\/(\S+)/)).toBe('abc')
  expect(running.lines).toContain('first')
  await running.stop()
  expect(() => process.kill(running.pid, 0)).toThrow('ESRCH')
})

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('stopping an interactive process also stops its children', async () => {
  const child = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stays)}], { stdio: 'inherit' })`
  const running = await started(
    `const c = ${child}; console.log('pid ' + c.pid); process.on('SIGINT', () => {})`,
    {
      interactive: true,
    },
  )
  const pid = Number(await running.findLine(/^pid (\d+)/))
  expect(() => process.kill(pid, 0)).not.toThrow()
  await running.stop()
  // The orphan exists until init has reaped it.
  await expect.poll(() => isThere(pid)).toBe(false)
})

test('a start reports the output of a process that ends before it is ready', async () => {
  await expect(started(`console.log('port taken'); process.exit(3)`)).rejects.toThrow(
    /ended with 3[^]*port taken/,
  )
})

test('a start stops a process that is not ready in time', async () => {
  const starting = started('setInterval(() => {}, 1000)', { timeoutSeconds: 0.3 })
  await expect(starting).rejects.toThrow('within 0.3 s')
})

test('the plain environment contains neither settings of the product nor variables of npm', () => {
  process.env['PULT_SECRET'] = 'x'.repeat(32)
  process.env['npm_config_cache'] = '/somewhere'
  const environment = plainEnvironment({ PORT: '1' })
  delete process.env['PULT_SECRET']
  delete process.env['npm_config_cache']
  expect(environment).toMatchObject({ PORT: '1' })
  expect(Object.keys(environment).filter((name) => /^(PULT|npm|DATABASE)_/i.test(name))).toEqual([])
  expect(environment['PATH']).not.toContain('node_modules')
})

test('waitUntilFree waits until a port is free', async () => {
  const port = await freePort()
  const server = createServer().listen(port, 'localhost')
  await once(server, 'listening')
  setTimeout(() => server.close(), 200)
  const begin = performance.now()
  await waitUntilFree(port)
  expect(performance.now() - begin).toBeGreaterThan(150)
})

test('a program that fails is reported with its last lines', async () => {
  const run = (script: string) =>
    runProcess({
      program: process.execPath,
      args: ['-e', script],
      cwd: import.meta.dirname,
      env: plainEnvironment(),
    })
  await run('')
  await expect(run(`console.error('wrong key'); process.exit(2)`)).rejects.toThrow(/ended with 2\nwrong key/)
})

test('a final stop ends running programs and rejects later starts', async () => {
  const run = runProcess({
    program: process.execPath,
    args: ['-e', stays],
    cwd: import.meta.dirname,
    env: plainEnvironment(),
  })
  await Promise.all([expect(run).rejects.toThrow('ended with SIGTERM'), stopAll({ forGood: true })])
  await expect(started(stays)).rejects.toThrow('The run has ended')
})
