import * as z from 'zod/mini'
import { id, instant, numberBetween } from './collection.ts'
import { type EdgeReport, edgeValueKey } from './edge-agent.ts'
import { endpoint } from './endpoint.ts'
import { machineText, searchText } from './text.ts'

/*
 * Values of edges over time. The server keeps each sample for a day, then one point per minute, then one per quarter of
 * an hour (decision record 150).
 */

/** Values that every agent reports, with their units: load, memory and disk in percent, and running programs. */
export const edgeMeasures = { load: '%', memory: '%', disk: '%', programs: '' } as const

/** A share in percent, within the limit of a sample: a report may claim any load. */
const percent = (share: number) => Math.round(Math.min(Math.max(share, 0), 1e12) * 10_000) / 100

/**
 * Returns the values of a report by key: those of {@link edgeMeasures} and those of the edge's programs. Parts that the
 * report does not contain are gaps.
 */
export function edgeValuesOf(report: EdgeReport): Record<string, number> {
  const { load, cores, memory, disk, instances, values = [], missing = {} } = report
  const used = ({ total, free }: { total: number; free: number }) => percent((total - free) / total)
  return {
    ...Object.fromEntries(values.map(({ key, value }) => [key, value])),
    ...(missing['load'] === undefined &&
      missing['cores'] === undefined && { load: percent(load[0] / cores) }),
    ...(memory.total > 0 && { memory: used(memory) }),
    ...(disk !== null && disk.total > 0 && { disk: used(disk) }),
    ...(instances.length > 0 && {
      programs: instances.filter(({ state }) => state === 'running').length,
    }),
  }
}

/** Permitted widths of a point in seconds. Points never extend into another day. */
export const edgeValueWidths = [5, 10, 30, 60, 300, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400] as const

/** Maximum number of points of one series, and the default for queries that set no number. */
export const edgeValuePoints = { most: 1000, usual: 400 } as const

const points = z.array(z.nullable(z.number()))

const series = z.object({
  key: z.string(),
  unit: z.string(),
  /** One item per point; null without a sample. */
  min: points,
  avg: points,
  max: points,
})
export type EdgeSeries = z.infer<typeof series>

/** A period without a connection to the agent. */
const outage = z.object({
  from: instant,
  /** Null while the outage continues. */
  to: z.nullable(instant),
})
export type EdgeOutage = z.infer<typeof outage>

const range = {
  /** Start in ISO 8601. Points begin at multiples of their width in UTC, so the first point may begin earlier. */
  from: z.string().check(z.maxLength(40)),
  /** ISO 8601; the current time if omitted. */
  to: z.optional(z.string().check(z.maxLength(40))),
  /**
   * Maximum number of points of one series, 1 to 1000; 400 if omitted. The server chooses the narrowest width within
   * this limit.
   */
  points: z.optional(z.string().check(z.regex(/^(?:[1-9]\d{0,2}|1000)$/, 'Must be a number from 1 to 1000'))),
  /** Keys of values, separated by commas; all values if omitted. */
  keys: z.optional(searchText(2000)),
} as const

/** Maximum number of edges whose courses one call reads. More would exceed the URL length that proxies accept. */
export const edgeCoursesMost = 100

/** Measures whose course, the values of the last 24 hours, a list shows. */
export const edgeCourseKeys = ['load', 'memory'] as const

const course = z.object({ edge: id, load: points, memory: points })
export type EdgeCourse = z.infer<typeof course>

/** Measures of a whole fleet. */
export const edgeFleetKeys = ['load', 'memory', 'disk'] as const

/** Maximum number of edges of a fleet with courses. Medians of larger fleets would take too long for a page. */
export const edgeFleetCoursesMost = 200

const fleetMeasure = z.object({
  key: z.enum(edgeFleetKeys),
  /** Current median of the online edges in whole percent; null if none reports the measure. */
  median: z.nullable(z.number()),
  highest: z.nullable(z.number()),
  /** Median of each hour. Empty for a fleet of more than 200 edges. */
  course: points,
})

const bytes = z.number()
const days = z.number()

/** The values of one kind, by the name of their retention. */
const kind = z.object({
  part: z.enum(['edgeSamples', 'edgeMinutes', 'edgeQuarters']),
  /** Bytes added per day; 0 in the first six hours of a project's values. */
  perDay: bytes,
  /** The retention of the installation. */
  days,
  /** The retention that the quota permits in the long run, at the present growth. */
  kept: days,
})

const path = '/projects/:projectId/edges/:edgeId/values'
const errors = ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'] as const

export const edgeValueEndpoints = {
  read: endpoint('GET', path, {
    summary:
      'Returns the values of an edge over a range (minimum, mean and maximum per point, null for a gap) and the outages.',
    query: z.strictObject(range),
    reply: z.object({
      /** Start of the first point. */
      from: instant,
      to: instant,
      /** Width of a point in seconds. */
      width: z.number(),
      series: z.array(series),
      outages: z.array(outage),
    }),
    errors: [...errors],
  }),
  export: endpoint('GET', `${path}.csv`, {
    summary:
      'Exports the same values as CSV: one line per value and point, with time, key, unit, min, avg and max.',
    query: z.strictObject(range),
    reply: z.string(),
    replyTypes: ['text/csv'],
    errors: [...errors],
  }),
  courses: endpoint('GET', '/projects/:projectId/edge-courses', {
    summary:
      'Returns the load and memory of several edges over the last 24 hours as half-hour means; edges of other projects are omitted.',
    query: z.strictObject({
      /** Ids of at most 100 edges, separated by commas. */
      edges: z.string().check(
        z.maxLength(37 * edgeCoursesMost, { abort: true }),
        z.refine((ids) => ids.split(',').every((one) => id.safeParse(one).success), 'Must be ids'),
      ),
    }),
    reply: z.object({
      /** Start of the first point. */
      from: instant,
      /** Width of a point in seconds. */
      width: z.number(),
      /** Edges without values are omitted. */
      items: z.array(course),
    }),
    errors: [...errors],
  }),
  fleet: endpoint('GET', '/projects/:projectId/edge-fleet-values', {
    summary: 'Returns the combined values of all edges of a project, now and over the last 24 hours.',
    reply: z.object({
      /** Start of the first point. */
      from: instant,
      /** Width of a point in seconds. */
      width: z.number(),
      measures: z.array(fleetMeasure),
      /** Share of the last 24 hours in which the edges were connected, 0 to 1; null if none ever connected. */
      reachable: z.nullable(z.number()),
      /** Outages within the last 24 hours. */
      outages: z.number(),
    }),
    errors: [...errors],
  }),
  growth: endpoint('GET', '/projects/:projectId/edge-values-growth', {
    summary:
      'Returns the size and growth of all values of a project, and when the quota shortens their retention.',
    reply: z.object({
      /** Size of the values. */
      used: bytes,
      /** Largest size. Above it, the server deletes the oldest samples first, then minutes, then quarters of an hour. */
      quota: bytes,
      /** Days until the quota is reached at the present growth, 0 if it is exceeded; null if it is never reached. */
      fullIn: z.nullable(days),
      parts: z.array(kind),
    }),
    errors: [...errors],
  }),
}

/** A value that a program reports to the agent on its machine. `POST /values` accepts one value or an array. */
export const ownEdgeValue = z.object({
  /** Lower-case letters, digits, `-`, `.` and `_`; not a key of {@link edgeMeasures}. */
  key: edgeValueKey.check(
    z.refine((key) => !Object.hasOwn(edgeMeasures, key), 'Must not be load, memory, disk or programs'),
  ),
  value: numberBetween(-1e15, 1e15),
  unit: z._default(machineText(16), ''),
})
