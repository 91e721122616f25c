import type { Counter, Histogram, Registry } from 'prom-client'

/** Upper bounds in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

interface Answered {
  method: string
  /** The template, never a path: it can contain a secret, and every id would be a series. */
  route: string
  status: number
  seconds: number
}

interface Recorders {
  registry: Registry
  requests: Counter<'method' | 'route' | 'status'>
  routeSeconds: Counter<'method' | 'route'>
  durations: Histogram<'method'>
}

/**
 * Counts the answered requests of this node, from the first scrape on: a node without scrapes does not load the
 * library. A histogram for each route would exceed 2,000 series, so routes have a sum and a count, and the histogram
 * has the method only.
 */
export function createRequestMetrics() {
  let recorders: Recorders | undefined

  return {
    observe({ method: given, route, status, seconds }: Answered): void {
      if (recorders === undefined) return
      const method = methods.has(given) ? given : 'other'
      recorders.requests.inc({ method, route, status: `${Math.floor(status / 100)}xx` })
      recorders.routeSeconds.inc({ method, route }, seconds)
      recorders.durations.observe({ method }, seconds)
    },

    /** Returns the registry of the requests, and creates it for the first scrape. */
    registry(client: typeof import('prom-client')): Registry {
      if (recorders !== undefined) return recorders.registry
      const registry = new client.Registry()
      const registers = [registry]
      recorders = {
        registry,
        requests: new client.Counter({
          name: 'pult_http_requests_total',
          help: 'Answered requests by route template and class of status.',
          labelNames: ['method', 'route', 'status'],
          registers,
        }),
        routeSeconds: new client.Counter({
          name: 'pult_http_route_seconds_total',
          help: 'Seconds spent in the requests of a route template.',
          labelNames: ['method', 'route'],
          registers,
        }),
        durations: new client.Histogram({
          name: 'pult_http_request_duration_seconds',
          help: 'Durations of requests.',
          labelNames: ['method'],
          buckets: bounds,
          registers,
        }),
      }
      return registry
    },
  }
}
export type RequestMetrics = ReturnType<typeof createRequestMetrics>
