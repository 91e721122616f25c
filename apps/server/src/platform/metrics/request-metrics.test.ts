import * as client from 'prom-client'
import { expect, test } from 'vitest'
import { createRequestMetrics } from './request-metrics.ts'
import { createScrape } from './scrape.ts'

async function textOf(requests: ReturnType<typeof createRequestMetrics>): Promise<string[]> {
  const scrape = createScrape(client)
  requests.write(scrape)
  return (await scrape.registry.metrics()).split('\n')
}

test('durations are counted by method and by route, in cumulative buckets', async () => {
  const requests = createRequestMetrics()
  const route = '/api/projects/:projectId'
  for (const seconds of [0.004, 0.25, 0.7, 30])
    requests.observe({ method: 'GET', route, status: 200, seconds })
  requests.observe({ method: 'BREW', route: 'none', status: 404, seconds: 0.001 })
  const lines = await textOf(requests)
  const labels = `method="GET",route="${route}"`
  for (const line of [
    `pult_http_requests_total{${labels},status="2xx"} 4`,
    'pult_http_requests_total{method="other",route="none",status="4xx"} 1',
    '# TYPE pult_http_route_duration_seconds histogram',
    `pult_http_route_duration_seconds_bucket{${labels},le="0.25"} 2`,
    `pult_http_route_duration_seconds_bucket{${labels},le="1"} 3`,
    `pult_http_route_duration_seconds_bucket{${labels},le="+Inf"} 4`,
    `pult_http_route_duration_seconds_sum{${labels}} 30.954`,
    `pult_http_route_duration_seconds_count{${labels}} 4`,
    'pult_http_request_duration_seconds_bucket{method="GET",le="0.005"} 1',
    'pult_http_request_duration_seconds_bucket{method="GET",le="0.1"} 1',
    'pult_http_request_duration_seconds_bucket{method="GET",le="10"} 3',
    'pult_http_request_duration_seconds_bucket{method="GET",le="+Inf"} 4',
  ])
    expect(lines).toContain(line)
})

test('prometheus/client_js#370 a second scrape contains the same counts', async () => {
  const requests = createRequestMetrics()
  requests.observe({ method: 'GET', route: 'none', status: 200, seconds: 0.1 })
  expect(await textOf(requests)).toEqual(await textOf(requests))
})
