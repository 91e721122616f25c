import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.ts'
import { startS3Server } from '../s3/s3-server.ts'
import { startHealthProxy } from './health-proxy.ts'

const program = fileURLToPath(new URL('../../../../apps/server/src/main.mjs', import.meta.url))

export interface ClusterOptions {
  databaseUrl: string
  secret: string
  /** Contains one folder per node. */
  folder: string
  nodes?: number
  /** The port of the proxy. */
  port?: number
  onLine?: (line: string) => void
}

/** Maximum milliseconds for a node to start or stop. */
const patience = 60_000

/** Starts nodes as separate processes, with one database, one S3 store and one proxy with health checks. */
export async function startCluster({
  databaseUrl,
  secret,
  folder,
  nodes: count = 3,
  port = 0,
  onLine = () => {},
}: ClusterOptions) {
  const store = await startS3Server()
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const urls = ports.map((each) => `http://localhost:${each}`)
  const proxy = await startHealthProxy(urls, port)
  const children: (ChildProcess | undefined)[] = []

  async function start(index: number): Promise<void> {
    const child = spawn(process.execPath, [program], {
      env: {
        PATH: process.env['PATH'] ?? '',
        PORT: String(ports[index]),
        PULT_URL: proxy.url,
        HOST: 'localhost',
        PULT_DATA: join(folder, `node-${index + 1}`),
        PULT_SECRET: secret,
        DATABASE_URL: databaseUrl,
        TRUSTED_PROXIES: '127.0.0.1,::1',
        ...store.settings,
        // Longer than the proxy needs to detect a stopping node.
        STOP_DELAY: '2',
        LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children[index] = child
    for (const output of [child.stdout, child.stderr])
      output.setEncoding('utf8').on('data', (text: string) => {
        for (const line of text.trim().split('\n')) onLine(`node ${index + 1}: ${line}`)
      })
    await until(() => proxy.isReady(urls[index] ?? '') || child.exitCode !== null)
    if (child.exitCode !== null) throw new Error(`node ${index + 1} ended with ${child.exitCode}`)
  }

  async function stopNode(index: number): Promise<void> {
    const child = children[index]
    if (child === undefined || child.exitCode !== null) return
    const ended = new Promise<void>((done) => child.once('exit', () => done()))
    child.kill('SIGTERM')
    await ended
  }

  // In sequence, because the first node migrates the schema.
  for (let index = 0; index < count; index += 1) await start(index)

  return {
    url: proxy.url,
    urls,
    pids: () => children.map((child) => child?.pid ?? 0),
    /** Replaces the nodes one after another, as an update does. */
    async roll(): Promise<void> {
      for (let index = 0; index < count; index += 1) {
        await stopNode(index)
        await start(index)
      }
    },
    async stop(): Promise<void> {
      await Promise.all(children.map((_, index) => stopNode(index)))
      await proxy.stop()
      store.stop()
    },
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  const end = Date.now() + patience
  while (!isTrue()) {
    if (Date.now() > end) throw new Error('a node is not ready')
    await delay(20)
  }
}
