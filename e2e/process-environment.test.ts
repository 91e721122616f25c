import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, readFile, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { dataFolder } from './server-process.ts'

const root = join(import.meta.dirname, '..')
const guide = await readFile(join(root, 'docs/operations/service.md'), 'utf8')
/** The command for service managers, which process 1 of a container can be as well. */
const [, commandOfGuide = ''] = /^\| clone, with a service manager \| `node (.*)` \|$/m.exec(guide) ?? []
const works = (command: string, ...args: string[]) => spawnSync(command, args).status === 0

const unknown = '23456'
const switching = ['setpriv', `--reuid=${unknown}`, `--regid=${unknown}`, '--clear-groups']
const canSwitch =
  process.getuid?.() === 0 && works('setpriv', ...switching.slice(1), 'unshare', '--user', 'true')
const alone = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']
const canBeAlone = works('unshare', ...alone.slice(1), 'true')

/** Starts the server through a command that changes its surroundings, as containers do. */
async function startThrough([command = '', ...args]: string[], environment: Record<string, string> = {}) {
  const [port, folder] = [await freePort(), await dataFolder()]
  const [program = '', ...rest] = commandOfGuide.split(' ')
  const child = spawn(command, [...args, process.execPath, join(root, program), ...rest], {
    cwd: '/',
    env: { PORT: String(port), PULT_DATA: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (output += part.toString()))
  const exited = once(child, 'close') as Promise<[number | null]>
  return { child, port, folder, exited, output: () => output }
}

/** Returns the process that `unshare` has started, as this machine counts it. */
async function innerPid({ pid }: ChildProcess): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return Number(children.trim())
}

test.skipIf(!canSwitch)(
  'docker-library/postgres#359 the server starts with a user id without an account, HOME, PATH, /tmp and file modes',
  async () => {
    const start = 'umask 0077; exec "$@"'
    const server = await startThrough(
      ['sh', '-c', `chown ${unknown}:${unknown} "$PULT_DATA"; ${start}`, 'sh', ...switching],
      { PATH: '/usr/bin:/bin', TMPDIR: '/nonexistent' },
    )
    await expect.poll(server.output, { timeout: 60_000 }).toMatch(/is ready|could not start/)
    expect(server.output()).toContain('is ready')
    const ready = await fetch(`http://localhost:${server.port}/api/health/ready`)
    expect(ready.status).toBe(200)
    expect((await stat(join(server.folder, 'postgres', 'PG_VERSION'))).uid).toBe(Number(unknown))
    server.child.kill('SIGTERM')
    expect(await server.exited).toEqual([0, null])
    await chown(server.folder, 0, 0)
  },
)

test.skipIf(!canSwitch || !works('unshare', '--mount', 'true'))(
  'the lines of the guide for /etc/passwd give the user id an account',
  async () => {
    const [, lines = ''] = /^```\n(root:.*?)^```$/ms.exec(guide) ?? []
    const path = join(await dataFolder(), 'passwd')
    await writeFile(path, lines)
    const start = 'mount --bind "$1" /etc/passwd && shift && exec "$@"'
    const ask = [process.execPath, '-p', 'require("os").userInfo().username']
    const args = ['--mount', 'sh', '-c', start, 'sh', path, ...switching, ...ask]
    expect(spawnSync('unshare', args, { encoding: 'utf8' }).stdout).toBe('pult\n')
  },
)

test.skipIf(!canBeAlone)(
  'TryGhost/docker-library-ghost#37 the server as process 1 answers an open call after SIGTERM',
  async () => {
    const server = await startThrough(alone, { PATH: process.env.PATH ?? '', STOP_DELAY: '1' })
    await expect.poll(server.output, { timeout: 60_000 }).toMatch(/is ready|could not start/)
    const body = JSON.stringify({ username: 'ada@example.org', password: 'wrong' })
    const call = connect(server.port, 'localhost')
    await once(call, 'connect')
    let answer = ''
    call.on('data', (part: Buffer) => (answer += part.toString()))
    call.write(
      `POST /api/auth/login HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    )
    process.kill(await innerPid(server.child), 'SIGTERM')
    const isReady = () =>
      fetch(`http://localhost:${server.port}/api/health/ready`).then(
        ({ status }) => status,
        () => 0,
      )
    await expect.poll(isReady).not.toBe(200)
    call.write(body.slice(5))
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(await server.exited).toEqual([0, null])
  },
)
