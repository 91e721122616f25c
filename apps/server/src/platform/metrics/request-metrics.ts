import { add, type Durations, noDurations, valueAt } from './durations.ts'
import type { Scrape } from './scrape.ts'

/** Upper bounds in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Few, because each bound is a series of every route. */
const routeBounds = [0.25, 1]

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

interface Answered {
  method: string
  /** The template, never a path: it can contain a secret, and every id would be a series. */
  route: string
  status: number
  seconds: number
}

interface Route {
  method: string
  route: string
  /** Answers by class of status. */
  statuses: Map<string, number>
  durations: Durations
}

/**
 * Counts the answered requests of this node from its start on. The counts are plain numbers, because a node without
 * scrapes does not load the library that writes them.
 */
export function createRequestMetrics() {
  const byMethod = new Map<string, Durations>()
  const byRoute = new Map<string, Route>()

  return {
    observe({ method: given, route, status, seconds }: Answered): void {
      const method = methods.has(given) ? given : 'other'
      add(valueAt(byMethod, method, noDurations), bounds, seconds)
      const found = valueAt(byRoute, `${method} ${route}`, () => ({
        method,
        route,
        statuses: new Map<string, number>(),
        durations: noDurations(),
      }))
      add(found.durations, routeBounds, seconds)
      const kind = `${Math.floor(status / 100)}xx`
      found.statuses.set(kind, (found.statuses.get(kind) ?? 0) + 1)
    },

    /** Adds the counts to a scrape. */
    write({ counters, histogram }: Scrape): void {
      const routes = [...byRoute.values()]
      counters(
        'pult_http_requests_total',
        'Answered requests by route template and class of status.',
        ['method', 'route', 'status'],
        routes.flatMap(({ method, route, statuses }) =>
          [...statuses].map(([status, total]) => ({ labels: { method, route, status }, total })),
        ),
      )
      histogram(
        'pult_http_request_duration_seconds',
        'Durations of requests by method.',
        bounds,
        [...byMethod].map(([method, durations]) => ({ labels: { method }, ...durations })),
      )
      histogram(
        'pult_http_route_duration_seconds',
        'Durations of requests by route template.',
        routeBounds,
        routes.map(({ method, route, durations }) => ({ labels: { method, route }, ...durations })),
      )
    },
  }
}
export type RequestMetrics = ReturnType<typeof createRequestMetrics>
