import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { fileEndpoints } from '@pult/contract'
import type { BenchOptions } from '../arguments.ts'
import { callPult } from '../calls.ts'
import { registerRoot } from '../installation.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

const rounds = 3
const contentType = 'application/octet-stream'
const piece = Buffer.alloc(256 * 1024, 7)
const mebibyte = 1024 * 1024

/**
 * Measures one large upload over loopback until its bytes are on disk, and the same upload to a server that only
 * streams a body into a file and flushes it. Also measures the growth of the process during the upload.
 */
export async function* measureFiles(bench: Workbench, { isQuick }: BenchOptions): AsyncGenerator<Row> {
  const size = (isQuick ? 128 : 1024) * mebibyte
  const installation = await bench.newInstallation()
  const pult = await installation.start()
  const token = await registerRoot(pult)
  const floor = await bench.startFloor({ uploads: bench.folder })

  async function upload(bytes: number): Promise<number> {
    const body = { filename: 'large.bin', contentType, size: bytes }
    const { url } = await callPult(pult.url, fileEndpoints.create, { token, body })
    return secondsOf(() => send(pult.url + url, bytes))
  }
  const uploadBare = (bytes: number) => secondsOf(() => send(`${floor.url}/upload`, bytes))

  // A first upload loads code that stays in memory.
  await upload(64 * mebibyte)
  await uploadBare(64 * mebibyte)
  const [ours, bare, growth, bareGrowth] = [[], [], [], []] as [number[], number[], number[], number[]]
  for (let round = 0; round < rounds; round += 1) {
    const own = await growthOf(pult.pid, () => upload(size))
    ours.push(own.result)
    growth.push(own.megabytes)
    const other = await growthOf(floor.pid, () => uploadBare(size))
    bare.push(other.result)
    bareGrowth.push(other.megabytes)
  }
  await floor.stop()
  await pult.stop()
  yield* [
    {
      name: `upload of ${size / mebibyte} MiB until it is on the disk`,
      unit: 's',
      ours,
      floor: bare,
      // At least 60 % of the floor's rate.
      bar: { kind: 'times the floor', factor: 1 / 0.6 },
      note: 'floor: a stream into a file, fsync; Pult: checks, digest, fsync, database',
    },
    {
      name: 'growth of RSS during the upload',
      unit: 'MB',
      ours: growth,
      floor: bareGrowth,
      bar: { kind: 'at most', value: (32 * mebibyte) / 1e6 },
    },
  ]
}

async function send(url: string, bytes: number): Promise<void> {
  const request = httpRequest(url, {
    method: 'PUT',
    headers: { 'content-type': contentType, 'content-length': bytes },
  })
  const answered = once(request, 'response')
  answered.catch(() => {})
  for (let sent = 0; sent < bytes; sent += piece.length) {
    if (!request.write(piece)) await once(request, 'drain')
  }
  request.end()
  const [response] = (await answered) as [import('node:http').IncomingMessage]
  response.resume()
  if (response.statusCode !== 200) throw new Error(`The upload failed with ${response.statusCode}`)
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** Returns the largest growth of a process's memory during an action. */
async function growthOf<Result>(pid: number, work: () => Promise<Result>) {
  const before = await rssOf(pid)
  let most = before
  let reading = Promise.resolve()
  const look = async () => void (most = Math.max(most, await rssOf(pid)))
  const watching = setInterval(() => {
    reading = reading.then(look)
  }, 20)
  const result = await work()
  clearInterval(watching)
  await reading
  return { result, megabytes: most - before }
}

async function rssOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? '0') * 1024) / 1e6
}
