import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import {
  fileEndpoints,
  mediaEndpoints,
  projectEndpoints,
  projectTaskEndpoints,
  taskEndpoints,
} from '@pult/contract'
import type { BenchOptions } from '../arguments.ts'
import { callPult } from '../calls.ts'
import { growthOf } from '../growth.ts'
import { registerRoot } from '../installation.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

const rounds = 3
const mebibyte = 1024 * 1024
const pieces = 8
const contentType = 'audio/wav'
const chunk = Buffer.alloc(256 * 1024, 7)

/** The head of a sound of that many bytes: what is measured is the way of the bytes, and sounds are stored as they are. */
function soundHead(bytes: number): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(bytes - 8, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(2, 22)
  head.writeUInt32LE(44_100, 24)
  head.writeUInt32LE(176_400, 28)
  head.writeUInt16LE(4, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(bytes - 44, 40)
  return head
}

/** A project's ZIP while it is made, from the call until the task has ended; and what the process grows by meanwhile. */
export async function measureExport(bench: Workbench, { isQuick }: BenchOptions): Promise<Row[]> {
  const size = (isQuick ? 128 : 2048) * mebibyte
  const installation = await bench.newInstallation()
  const pult = await installation.start()
  const token = await registerRoot(pult)
  const { _id: projectId } = await callPult(pult.url, projectEndpoints.create, {
    token,
    body: { label: 'Large' },
  })
  const params = { projectId }

  for (let piece = 0; piece < pieces; piece += 1) {
    const bytes = size / pieces
    const body = { filename: `${piece}.wav`, contentType, size: bytes, project: projectId }
    const { url, filename } = await callPult(pult.url, fileEndpoints.create, { token, body })
    await send(pult.url + url, bytes)
    await callPult(pult.url, mediaEndpoints.create, { token, params, body: { file: filename } })
  }

  async function exportAll(): Promise<void> {
    const { _id } = await callPult(pult.url, projectTaskEndpoints.export, { token, params, body: {} })
    for (;;) {
      const read = { token, params: { projectId, taskId: _id } }
      const task = await callPult(pult.url, taskEndpoints.read, read)
      if (task.fulfilledAt !== null && task.state.fileUrl !== undefined) return
      if (task.fulfilledAt !== null) throw new Error(`The export failed: ${task.error ?? ''}`)
      await delay(50)
    }
  }

  const seconds: number[] = []
  const growth: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const begin = performance.now()
    const { megabytes } = await growthOf(pult.pid, exportAll)
    seconds.push((performance.now() - begin) / 1000)
    growth.push(megabytes)
  }
  await pult.stop()
  return [
    {
      name: `export of a project with ${size / mebibyte} MiB of media`,
      unit: 's',
      ours: seconds,
      note: `${pieces} originals; two digests of each byte, one CRC, fsync`,
    },
    {
      name: 'growth of RSS meanwhile, export',
      unit: 'MB',
      ours: growth,
      bar: { kind: 'at most', value: (64 * mebibyte) / 1e6 },
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
  const head = soundHead(bytes)
  request.write(head)
  for (let sent = head.length; sent < bytes; ) {
    const part = chunk.subarray(0, Math.min(chunk.length, bytes - sent))
    sent += part.length
    if (!request.write(part)) await once(request, 'drain')
  }
  request.end()
  const [response] = (await answered) as [import('node:http').IncomingMessage]
  response.resume()
  if (response.statusCode !== 200) throw new Error(`The upload was answered ${response.statusCode}`)
}
