import * as z from 'zod/mini'
import { id, instant, numberBetween } from './collection.ts'
import { type EdgeReport, edgeValueKey } from './edge-agent.ts'
import { endpoint } from './endpoint.ts'

/*
 * Values of edges over time. The server keeps each sample for a day, then one point a minute, then one a quarter of an
 * hour (decision record 150).
 */

/** Values that every agent reports: shares of load, memory and disk in percent, and the number of running programs. */
export const edgeMeasures = { load: '%', memory: '%', disk: '%', programs: '' } as const

const percent = (share: number) => Math.round(share * 10_000) / 100

/** The values of {@link edgeMeasures} in a report, and those that the edge's own programs have reported. */
export function edgeValuesOf(report: EdgeReport): Record<string, number> {
  const { load, cores, memory, disk, instances, values = [] } = report
  const used = ({ total, free }: { total: number; free: number }) => percent((total - free) / total)
  return {
    ...Object.fromEntries(values.map(({ key, value }) => [key, value])),
    load: percent(load[0] / cores),
    ...(memory.total > 0 && { memory: used(memory) }),
    ...(disk !== null && disk.total > 0 && { disk: used(disk) }),
    ...(instances.length > 0 && {
      programs: instances.filter(({ state }) => state === 'running').length,
    }),
  }
}

/** Seconds that a point may cover, by the range. A point covers no part of another day. */
export const edgeValueWidths = [5, 10, 30, 60, 300, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400] as const

/** Most points of one series, and the number that a query without one receives at most. */
export const edgeValuePoints = { most: 1000, usual: 400 } as const

const points = z.array(z.nullable(z.number()))

const series = z.object({
  key: z.string(),
  unit: z.string(),
  /** One item for each point; null without a sample. */
  min: points,
  avg: points,
  max: points,
})
export type EdgeSeries = z.infer<typeof series>

/** A time without a connection to the agent. */
const outage = z.object({
  from: instant,
  /** Null while it lasts. */
  to: z.nullable(instant),
})
export type EdgeOutage = z.infer<typeof outage>

const range = {
  /** ISO 8601. The first point begins at a multiple of its width in UTC, at or before it. */
  from: z.string().check(z.maxLength(40)),
  /** ISO 8601; now without it. */
  to: z.optional(z.string().check(z.maxLength(40))),
  /** Most points of one series, 1 to 1000. The server chooses the narrowest width that needs no more. */
  points: z.optional(z.string().check(z.regex(/^(?:[1-9]\d{0,2}|1000)$/, 'Must be a number from 1 to 1000'))),
  /** Keys of values, separated by commas; all without it. */
  keys: z.optional(z.string().check(z.maxLength(2000))),
} as const

/** Most edges whose courses one call reads: more would exceed the longest address that proxies accept. */
export const edgeCoursesMost = 100

/** Measures of which a list shows the course. */
export const edgeCourseKeys = ['load', 'memory'] as const

const course = z.object({ edge: id, load: points, memory: points })
export type EdgeCourse = z.infer<typeof course>

/** Measures of a whole fleet. */
export const edgeFleetKeys = ['load', 'memory', 'disk'] as const

/** A larger fleet has no courses: their medians would take longer than a page may wait. */
export const edgeFleetCoursesMost = 200

const fleetMeasure = z.object({
  key: z.enum(edgeFleetKeys),
  /** Whole percent of the online edges now; null without one that reports it. */
  median: z.nullable(z.number()),
  highest: z.nullable(z.number()),
  /** The median of each hour. Empty in a fleet of more than 200 edges. */
  course: points,
})

const path = '/projects/:projectId/edges/:edgeId/values'
const errors = ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'] as const

export const edgeValueEndpoints = {
  read: endpoint('GET', path, {
    summary:
      'The values of an edge over a range: lowest, mean and highest of each point, and the outages. A missing sample is a gap.',
    query: z.strictObject(range),
    reply: z.object({
      /** Begin of the first point. */
      from: instant,
      to: instant,
      /** Seconds of a point. */
      width: z.number(),
      series: z.array(series),
      outages: z.array(outage),
    }),
    errors: [...errors],
  }),
  export: endpoint('GET', `${path}.csv`, {
    summary: 'The same as CSV: a line for each value of each point, with time, key, unit, min, avg and max.',
    query: z.strictObject(range),
    reply: z.string(),
    errors: [...errors],
  }),
  courses: endpoint('GET', '/projects/:projectId/edge-courses', {
    summary:
      'The load and memory of several edges over the last 24 hours, in means of half an hour, for the rows of a list. Edges of other projects are left out.',
    query: z.strictObject({
      /** Ids of at most 100 edges, separated by commas. */
      edges: z
        .string()
        .check(z.maxLength(37 * edgeCoursesMost), z.regex(/^[\da-f-]{36}(?:,[\da-f-]{36})*$/, 'Must be ids')),
    }),
    reply: z.object({
      /** Begin of the first point. */
      from: instant,
      /** Seconds of a point. */
      width: z.number(),
      /** Edges without values are left out. */
      items: z.array(course),
    }),
    errors: [...errors],
  }),
  fleet: endpoint('GET', '/projects/:projectId/edge-fleet-values', {
    summary: 'The values of all edges of a project together, now and over the last 24 hours.',
    reply: z.object({
      /** Begin of the first point. */
      from: instant,
      /** Seconds of a point. */
      width: z.number(),
      measures: z.array(fleetMeasure),
      /** Share of the last 24 hours that the edges were connected, 0 to 1; null without an edge that ever was. */
      reachable: z.nullable(z.number()),
      /** Of the last 24 hours. */
      outages: z.number(),
    }),
    errors: [...errors],
  }),
}

/** A value that a program reports to the agent on its machine (`POST /values`): one, or an array of them. */
export const ownEdgeValue = z.object({
  /** Lower-case letters, digits, `-`, `.` and `_`, and none of {@link edgeMeasures}. */
  key: edgeValueKey.check(
    z.refine((key) => !Object.hasOwn(edgeMeasures, key), 'Must not be load, memory, disk or programs'),
  ),
  value: numberBetween(-1e15, 1e15),
  unit: z._default(z.string().check(z.maxLength(16), z.regex(/^[^\p{Cc}\p{Cs}]*$/u)), ''),
})
