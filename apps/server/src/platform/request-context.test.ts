import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { headersOfCall } from '../extensions/backends/backend-headers.ts'
import { bareServer } from './http/testing/bare-server.ts'
import { createLog } from './log.ts'
import { createTracing } from './tracing.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

function serverOf(tracing?: ReturnType<typeof createTracing>) {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const app = bareServer({ log, accessLog: true, tracing })
  const forwarded: Record<string, string>[] = []
  app.post('/work/:id', (request, reply) => {
    log.info('working')
    forwarded.push(headersOfCall(request.headers))
    void reply.send({})
  })
  const call = (headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url: '/work/7', payload: { a: 1 }, headers })
  const read = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return { app, call, forwarded, read }
}

test('each answer and each log line of a request carry the same id, and no two requests share one', async () => {
  const { app, call, read } = serverOf()
  const [first, second] = [await call(), await call()]
  const ids = [first, second].map(({ headers }) => headers['x-request-id'])
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  expect(new Set(ids).size).toBe(2)
  expect(read()).toMatchObject([
    { msg: 'working', request: ids[0] },
    { route: '/work/:id', status: 200, request: ids[0], address: '127.0.0.1' },
    { msg: 'working', request: ids[1] },
    { route: '/work/:id', request: ids[1] },
  ])
  const missing = await app.inject('/api/none')
  expect([missing.statusCode, missing.headers['x-request-id']]).toEqual([404, read().at(-1)?.['request']])
})

test('a valid traceparent is logged and passed on to services, and an invalid one is dropped', async () => {
  const { call, forwarded, read } = serverOf()
  const { headers } = await call({ traceparent })
  expect(forwarded[0]).toMatchObject({ traceparent, 'x-request-id': headers['x-request-id'] })
  expect(read()[0]).toMatchObject({ msg: 'working', trace: traceId })
  await call({ traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` })
  expect(forwarded[1]).not.toHaveProperty('traceparent')
})

test('a collector receives a span for each request, as a child of its caller', async () => {
  const received: unknown[] = []
  const collector = createServer((request, response) => {
    void json(request).then((body) => {
      received.push([request.url, request.headers['api-key'], body])
      response.end('{}')
    })
  })
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  onTestFinished(() => void collector.close())
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const config = { endpoint, headers: { 'api-key': 'k' }, serviceName: 'pult', ratio: 1 }
  const tracing = createTracing(config, createLog('silent'))
  const { call, forwarded } = serverOf(tracing)
  await call({ traceparent })
  await tracing.stop()
  expect(received).toMatchObject([
    [
      '/v1/traces',
      'k',
      {
        resourceSpans: [
          {
            resource: { attributes: [{ key: 'service.name', value: { stringValue: 'pult' } }] },
            scopeSpans: [
              {
                spans: [
                  {
                    traceId,
                    parentSpanId: '00f067aa0ba902b7',
                    spanId: forwarded[0]?.['traceparent']?.split('-')[2],
                    name: 'POST /work/:id',
                    status: {},
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  ])
})
