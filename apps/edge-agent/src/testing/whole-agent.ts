import { once } from 'node:events'
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type EdgeReport, type EdgeServerMessage, edgeCloseCodes } from '@pult/contract'
import { expect, onTestFinished, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { type System, system } from '../report.ts'
import { writeState } from '../state.ts'
import { work } from '../worker.ts'
import { temporaryFolder } from './temporary-folder.ts'

type Message = Record<string, unknown> & { type: string }

/** What a process holds: open files by kind, libuv resources by kind, child processes, and simulated timers. */
interface Held {
  files: Record<string, number>
  active: Record<string, number>
  children: number
  timers: number
}

const countOf = (names: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))

/** Returns what this process holds now. Names of files and numbers of sockets are left out. */
export async function heldNow(): Promise<Held> {
  const names = await readdir('/proc/self/fd')
  const targets = await Promise.all(
    // The descriptor of the folder itself is closed again.
    names.map((name) => readlink(join('/proc/self/fd', name)).catch(() => undefined)),
  )
  const kinds = targets.flatMap((target) =>
    target === undefined ? [] : [target.startsWith('/') ? 'file' : target.replace(/:?\[.*\]$/, '')],
  )
  const children = (await childrenOf(process.pid)).length
  const active = process.getActiveResourcesInfo().filter((name) => !passing.has(name))
  return { files: countOf(kinds), active: countOf(active), children, timers: vi.getTimerCount() }
}

/** The reading of the descriptors itself, and timers of the test runner. */
const passing = new Set(['FSReqPromise', 'FSReqCallback', 'Immediate', 'Timeout'])

async function childrenOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/self/task/${pid}/children`, 'utf8').catch(() => '')
  return text.split(' ').filter((child) => child !== '')
}

/** Work that ends without a timer: reading files and names, connecting, and writing. */
const passingWork = /^(?:FSReq|TCPConnect|PipeConnect|GetAddrInfo|Shutdown|Write)/

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Real milliseconds for such work. A fault may let some of it hang. */
const settleMost = 10_000

/** Real milliseconds for the conditions of a test. */
const conditionMost = 60_000

const isWithin = (from: bigint, milliseconds: number) =>
  process.hrtime.bigint() - from < BigInt(milliseconds) * 1_000_000n

/**
 * Runs the whole worker of the agent in this process, in simulated time, against a server that the test controls. Its
 * sockets, files and programs are real. `programs` is the number of programs that the agent keeps running.
 */
export async function startWholeAgent(config: object = {}, { programs = 0 }: { programs?: number } = {}) {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  })
  onTestFinished(() => void vi.useRealTimers())
  const folder = await temporaryFolder()
  const received: Message[] = []
  const sockets = new Set<WebSocket>()
  let welcomes = 0
  /** Everything that has happened on the connections. */
  let events = 0
  let server: WebSocketServer | undefined
  let port = 0

  async function listen(): Promise<void> {
    const opened = new WebSocketServer({ host: '127.0.0.1', port })
    server = opened
    await once(opened, 'listening')
    port = (opened.address() as AddressInfo).port
    opened.on('connection', (ws) => {
      events += 1
      sockets.add(ws)
      ws.on('close', () => {
        events += 1
        sockets.delete(ws)
      })
      ws.on('error', () => {})
      ws.on('message', (data) => {
        const message = JSON.parse((data as Buffer).toString()) as Message
        events += 1
        received.push(message)
        if (received.length > 500) received.splice(0, 250)
        if (message.type === 'hello') {
          welcomes += 1
          send({ type: 'welcome', label: 'Hall 3', reportEvery: 5000, protocol: 2 }, ws)
        }
        if (message.type !== 'report') return
        reports += 1
        reportedAs.set(ws, reports)
        lastReport = message['report'] as EdgeReport
        onReport(ws)
        const until = (message['samples'] as { at: number }[] | undefined)?.at(-1)?.at
        if (until !== undefined) send({ type: 'kept', until }, ws)
      })
    })
  }

  let reports = 0
  /** The number of the last report on each connection. */
  const reportedAs = new WeakMap<WebSocket, number>()
  let lastReport: EdgeReport | undefined
  let onReport: (ws: WebSocket) => void = () => {}
  const send = (message: EdgeServerMessage, to?: WebSocket) => {
    for (const ws of to === undefined ? sockets : [to]) ws.send(JSON.stringify(message))
  }

  /** Whether files, connections and short programs are done, and both sides know of each connection. */
  function isIdle(): boolean {
    const active = process.getActiveResourcesInfo()
    const count = (name: string) => active.filter((each) => each === name).length
    if (active.some((name) => passingWork.test(name)) || count('ProcessWrap') > programs) return false
    return count('TCPSocketWrap') === sockets.size * 2
  }

  async function whenIdle(): Promise<void> {
    const from = process.hrtime.bigint()
    while (!isIdle() && isWithin(from, settleMost)) await nextTurn()
    for (let turn = 0; turn < 3; turn += 1) await nextTurn()
  }

  /** Each side has read what the other has sent: the answer to a ping follows everything before it. */
  const exchange = () =>
    Promise.all(
      [...sockets].map(
        (ws) =>
          new Promise<void>((resolve) => {
            ws.once('pong', () => resolve())
            ws.once('close', () => resolve())
            if (ws.readyState === ws.OPEN) ws.ping()
            else resolve()
          }),
      ),
    )

  /** Waits until only the passing of time can change anything. */
  async function settle(): Promise<void> {
    let before: number
    do {
      before = events
      await whenIdle()
      await exchange()
      await whenIdle()
    } while (before !== events)
  }

  await listen()
  const configFile = join(folder, 'config.json')
  await writeFile(configFile, JSON.stringify(config))
  const url = `http://127.0.0.1:${port}`
  const identity = {
    server: url,
    edge: '018f0000-0000-7000-8000-000000000000',
    token: 't',
    usedCode: '',
  }
  await writeState(folder, identity)
  const listeners = new Map(
    (['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect', 'exit'] as const).map((name) => [
      name,
      process.rawListeners(name),
    ]),
  )
  const end = work({ stateFolder: folder, configFile }).then(
    () => undefined,
    (error: unknown) => error,
  )

  const agent = {
    folder,
    received,
    send,
    reports: () => reports,
    welcomes: () => welcomes,
    lastReport: () => lastReport,

    /** Sets the server's reaction to each report. */
    onReport(react: (ws: WebSocket) => void): void {
      onReport = react
    },

    /** Replaces calls of the operating system while something happens. */
    async during(changes: Partial<System>, happen: () => Promise<void>): Promise<void> {
      const usual = { ...system }
      Object.assign(system, changes)
      try {
        await happen()
      } finally {
        Object.assign(system, usual)
      }
    },

    /** Lets simulated time pass, one second at a time. Real input and output catches up after each. */
    async pass(milliseconds: number): Promise<void> {
      for (let left = milliseconds; left > 0; left -= 1000) {
        await vi.advanceTimersByTimeAsync(Math.min(left, 1000))
        await settle()
      }
    },

    settle,

    /** Lets simulated time pass until a condition holds. */
    async passUntil(isReached: () => boolean): Promise<void> {
      const from = process.hrtime.bigint()
      while (!isReached() && isWithin(from, conditionMost)) await agent.pass(1000)
      expect(isReached()).toBe(true)
    },

    /** Waits until the agent has reported again, on a connection that stays open. */
    async reportsAgain(): Promise<void> {
      const before = reports
      await agent.passUntil(() =>
        [...sockets].some((ws) => ws.readyState === ws.OPEN && (reportedAs.get(ws) ?? 0) > before),
      )
    },

    /** Closes all connections with a code. */
    close(code: number, reason = ''): void {
      for (const ws of sockets) ws.close(code, reason)
    },

    /** Cuts all connections without a word, as a crash does. */
    cut(): void {
      for (const ws of sockets) ws.terminate()
    },

    /** Stops the server; nothing listens at its address. */
    async down(): Promise<void> {
      const stopped = server
      server = undefined
      for (const ws of sockets) ws.terminate()
      await new Promise<void>((resolve) =>
        stopped === undefined ? resolve() : stopped.close(() => resolve()),
      )
    },

    up: listen,

    /** Ends the worker, as a new enrolment of its machine does, and waits for its end. */
    async stop(): Promise<void> {
      if (server === undefined) await listen()
      await writeState(folder, { ...identity, token: 'another' })
      const state = { isOver: false }
      void end.then(() => {
        state.isOver = true
      })
      await agent.passUntil(() => {
        agent.close(edgeCloseCodes.unauthenticated)
        return state.isOver
      })
      await agent.down()
      // The worker leaves its listeners, because its process ends with it.
      for (const [name, before] of listeners)
        for (const listener of process.rawListeners(name))
          if (!before.includes(listener)) process.off(name, listener as () => void)
    },
  }
  onTestFinished(() => agent.stop())
  return agent
}
export type WholeAgent = Awaited<ReturnType<typeof startWholeAgent>>
