import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { freePort, plainEnvironment, startProcess, stopAll, waitUntilFree } from './processes.ts'

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

test('measures until the ready line, finds later lines and stops the process', async () => {
  const running = await started(stays)
  expect(running.readyAfter).toBeGreaterThan(1)
  expect(await running.findLine(/\/bift\/(\S+)/)).toBe('abc')
  expect(running.lines).toContain('first')
  await running.stop()
  expect(() => process.kill(running.pid, 0)).toThrow('ESRCH')
})

test('stops what runs below an interactive process as well', async () => {
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
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('says what a process printed that ended before it was ready', async () => {
  await expect(started(`console.log('port taken'); process.exit(3)`)).rejects.toThrow(
    /ended with 3[^]*port taken/,
  )
})

test('gives up on a process that does not get ready, and stops it', async () => {
  const starting = started('setInterval(() => {}, 1000)', { timeoutSeconds: 0.3 })
  await expect(starting).rejects.toThrow('within 0.3 s')
})

test('hands on no setting of ours and nothing of npm', () => {
  process.env['PULT_SECRET'] = 'x'.repeat(32)
  process.env['npm_config_cache'] = '/somewhere'
  const environment = plainEnvironment({ PORT: '1' })
  delete process.env['PULT_SECRET']
  delete process.env['npm_config_cache']
  expect(environment).toMatchObject({ PORT: '1' })
  expect(Object.keys(environment).filter((name) => /^(PULT|npm|DATABASE)_/i.test(name))).toEqual([])
  expect(environment['PATH']).not.toContain('node_modules')
})

test('waits until a port is free again', async () => {
  const port = await freePort()
  const server = createServer().listen(port, 'localhost')
  await once(server, 'listening')
  setTimeout(() => server.close(), 200)
  const begin = performance.now()
  await waitUntilFree(port)
  expect(performance.now() - begin).toBeGreaterThan(150)
})
