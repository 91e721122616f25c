import type { Stats } from 'node:fs'
import { lstat, stat, unlink } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { type EdgeReport, limits, ownEdgeValue, z } from '@pult/contract'
import { writeLog } from './agent-log.ts'
import { exitCodes, Failure, isPassing } from './exit-codes.ts'
import { fileFailure } from './file-fault.ts'

/** Endpoint at which programs reach the agent: a port on the loopback interface, or a Unix socket. */
export type ValuesEndpoint = { port: number } | { socket: string }

const bodyMost = 16 * 1024

/** Milliseconds between two attempts to open an endpoint that another program holds, or whose folder is missing. */
const openAgain = 10_000

/** Milliseconds for which a program may use the connection that shows whether it listens. */
const probeTime = 1000

/** Milliseconds for which a value is current. Afterwards it is a gap until its program reports again. */
const validFor = 120_000

const body = z.union([ownEdgeValue, z.array(ownEdgeValue).check(z.maxLength(limits.edgeValuesMax))])

interface Answer {
  status: number
  reason?: string
}

/** The values that programs on this machine report: `POST /values` with `{key, value, unit}`, or an array of them. */
export function createOwnValues(now: () => number = () => performance.now()) {
  const values = new Map<string, { value: number; unit: string; at: number }>()
  let server: Server | undefined
  let againTimer: NodeJS.Timeout | undefined

  function removeExpired(): void {
    const limit = now() - validFor
    for (const [key, { at }] of values) if (at < limit) values.delete(key)
  }

  /** Stores all values of a body, or none. */
  function take(text: string): Answer {
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      return { status: 400, reason: 'The body is not JSON' }
    }
    const parsed = body.safeParse(json)
    if (!parsed.success)
      return {
        status: 400,
        reason: `Expected {"key", "value", "unit"} or an array of at most ${limits.edgeValuesMax}: keys of a-z, 0-9, "-", "." and "_" other than load, memory, disk and programs, finite numbers, units of at most 16 characters`,
      }
    removeExpired()
    const given = Array.isArray(parsed.data) ? parsed.data : [parsed.data]
    const keys = new Set([...values.keys(), ...given.map(({ key }) => key)])
    if (keys.size > limits.edgeValuesMax)
      return { status: 409, reason: `This edge already reports ${limits.edgeValuesMax} values, the maximum` }
    for (const { key, value, unit } of given) values.set(key, { value, unit, at: now() })
    return { status: 204 }
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    // Browsers send the origin of the page. Web pages must not report values.
    if (request.headers.origin !== undefined) return { status: 403, reason: 'Web pages cannot report values' }
    if (request.url !== '/values') return { status: 404, reason: 'Only /values exists' }
    if (request.method !== 'POST') return { status: 405, reason: 'Only POST is allowed' }
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of request) {
      size += (chunk as Buffer).length
      // The rest is read and dropped. Otherwise the connection would close before the client reads the answer.
      if (size <= bodyMost) chunks.push(chunk as Buffer)
    }
    if (size > bodyMost) return { status: 413, reason: `The body exceeds ${bodyMost} bytes` }
    return take(Buffer.concat(chunks).toString())
  }

  async function listen(endpoint: ValuesEndpoint): Promise<void> {
    const opened = createServer({ requestTimeout: 5000 }, (request, response) => {
      answer(request).then(
        ({ status, reason }) => {
          response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
          response.end(reason === undefined ? undefined : `${reason}\n`)
        },
        () => response.destroy(),
      )
    })
    opened.maxConnections = 64
    if ('socket' in endpoint) await removeRemaining(endpoint.socket)
    await new Promise<void>((resolve, reject) => {
      opened.once('error', reject)
      if ('socket' in endpoint) opened.listen(endpoint.socket, resolve)
      else opened.listen(endpoint.port, '127.0.0.1', resolve)
    })
    server = opened
  }

  return {
    take,

    report(): NonNullable<EdgeReport['values']> {
      removeExpired()
      return [...values].map(([key, { value, unit }]) => ({ key, value, unit }))
    },

    /**
     * Opens the endpoint. If it is not free, the agent works without it and tries again.
     *
     * @throws {Failure} settings, if only a user can make the address usable.
     */
    async start(endpoint: ValuesEndpoint): Promise<void> {
      const open = (isAgain = false) =>
        listen(endpoint).catch((error: unknown) => {
          const place = 'port' in endpoint ? `the port ${endpoint.port}` : endpoint.socket
          const failure =
            error instanceof Failure ? error : fileFailure(error, `Programs cannot report values at ${place}`)
          if (!isPassing(failure) && !isAgain) throw failure
          if (!isAgain) writeLog(failure.message)
          againTimer = setTimeout(() => void open(true), openAgain).unref()
        })
      await open()
    },

    address: () => server?.address() ?? null,

    stop(): void {
      clearTimeout(againTimer)
      server?.close()
      server?.closeAllConnections()
    },
  }
}
export type OwnValues = ReturnType<typeof createOwnValues>

/**
 * Removes the socket that a killed agent has left: one that refuses connections.
 *
 * @throws {Failure} if something else has its path.
 */
async function removeRemaining(path: string): Promise<void> {
  // Node reports a missing folder as a missing permission.
  await stat(dirname(path))
  const found = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (found === undefined) return
  const what = `Programs cannot report values at ${path}`
  if (!found.isSocket())
    throw new Failure(
      exitCodes.settings,
      `${what}: ${kindOf(found)} has this path, which the agent does not remove. Remove it, or choose another path`,
    )
  if (await isInUse(path)) throw new Failure(exitCodes.fault, `${what}: another program uses this socket`)
  await unlink(path)
}

const kindOf = (found: Stats): string => {
  if (found.isFile()) return 'a file'
  if (found.isDirectory()) return 'a folder'
  if (found.isSymbolicLink()) return 'a symbolic link'
  return found.isFIFO() ? 'a named pipe' : 'a device'
}

/** Returns whether a program listens. If it is slow, the system may delay or refuse the connection with another code. */
function isInUse(socket: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const client = connect(socket, () => {
      // A program that writes immediately must not meet a closed connection.
      client.resume().end()
      client.setTimeout(probeTime, () => client.destroy())
      resolve(true)
    })
    client.on('error', (error) => {
      // Without permission the connection proves nothing.
      if (codeOf(error) === 'EACCES') reject(error)
      else resolve(codeOf(error) !== 'ECONNREFUSED')
    })
  })
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
