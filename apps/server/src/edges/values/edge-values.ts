import {
  type edgeValueEndpoints,
  edgeValuePoints,
  edgeValueWidths,
  type QueryOf,
  type ReplyOf,
} from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { csvLine, csvMark } from '#platform/csv-text.ts'
import type { HeavyReads } from '#platform/database/replicas.ts'
import type { Database } from '#platform/database/schema.ts'
import { presentFleetValues } from './fleet-values.ts'
import { createHistoryRepository, type Range } from './history.repository.ts'

interface EdgeValuesParts {
  db: Kysely<Database>
  /** Runs the queries of a day or more. */
  reads: HeavyReads
  /** The time of the database in epoch milliseconds. */
  now: () => number
}

type Asked = QueryOf<typeof edgeValueEndpoints.read>
type Found = ReplyOf<typeof edgeValueEndpoints.read>
type Courses = ReplyOf<typeof edgeValueEndpoints.courses>

/** The values of edges over time. The caller has checked that the user may see the edge. */
export function createEdgeValues({ db, reads, now }: EdgeValuesParts) {
  async function rangeOf({ from, to, points }: Asked): Promise<Range> {
    const present = now() / 1000
    const end = Math.min(to === undefined ? present : secondsOf('to', to), present)
    const most = points === undefined ? edgeValuePoints.usual : Number(points)
    const widest = edgeValueWidths.at(-1) ?? secondsOfDay
    // If the range needs more points than requested, it begins later.
    const begin = Math.max(secondsOf('from', from), end - widest * (most - 1), 0)
    if (begin >= end) throw refusal('from', 'Must be before "to" and before now')
    const narrowest = await createHistoryRepository(db).narrowest(begin)
    const width =
      edgeValueWidths.find((each) => each >= narrowest && countOf(begin, end, each) <= most) ?? widest
    return { from: Math.floor(begin / width) * width, to: end, width }
  }

  async function read(edgeId: string, asked: Asked): Promise<Found> {
    const range = await rangeOf(asked)
    const keys = asked.keys?.split(',')
    const readFrom = (source: Kysely<Database>) => {
      const history = createHistoryRepository(source)
      return Promise.all([history.read(edgeId, keys, range), history.outages(edgeId, range)])
    }
    const { from, to, width } = range
    // A short range is read every few seconds, and costs less than asking a replica for its position.
    const isHeavy = to - from >= secondsOfDay
    const [series, outages] = await (isHeavy ? reads.run(readFrom) : readFrom(db))
    return { from: isoOf(from), to: isoOf(to), width, series, outages }
  }

  return {
    read,

    /** Returns the last 24 hours of several edges of a project. */
    async courses(projectId: string, edgeIds: readonly string[]): Promise<Courses> {
      const to = now() / 1000
      const from = Math.floor((to - secondsOfDay) / courseWidth) * courseWidth
      const range = { from, to, width: courseWidth }
      return {
        from: isoOf(from),
        width: courseWidth,
        items: await reads.run((source) =>
          createHistoryRepository(source).courses(projectId, edgeIds, range),
        ),
      }
    },

    /** Returns all edges of a project together. */
    async fleet(projectId: string): Promise<ReplyOf<typeof edgeValueEndpoints.fleet>> {
      const to = now() / 1000
      const from = Math.floor((to - secondsOfDay) / fleetWidth) * fleetWidth
      const { hasCourses, measures, ...reach } = await presentFleetValues(db, projectId)
      const courses = hasCourses
        ? await reads.run((source) =>
            createHistoryRepository(source).medians(projectId, { from, to, width: fleetWidth }),
          )
        : new Map<string, (number | null)[]>()
      return {
        from: isoOf(from),
        width: fleetWidth,
        measures: measures.map((one) => ({ ...one, course: courses.get(one.key) ?? [] })),
        ...reach,
      }
    },

    /**
     * Returns a CSV line for each point of each value. Programs choose the units, so a unit may look like a formula.
     */
    async csv(edgeId: string, asked: Asked): Promise<string> {
      const { from, width, series } = await read(edgeId, asked)
      const begin = Date.parse(from)
      const lines = series.flatMap(({ key, unit, min, avg, max }) =>
        min.flatMap((low, place) =>
          low === null
            ? []
            : [
                csvLine([
                  new Date(begin + place * width * 1000).toISOString(),
                  key,
                  unit,
                  low,
                  avg[place] ?? null,
                  max[place] ?? null,
                ]),
              ],
        ),
      )
      return [csvMark, csvLine(['time', 'key', 'unit', 'min', 'avg', 'max']), ...lines].join('')
    },
  }
}
export type EdgeValues = ReturnType<typeof createEdgeValues>

const secondsOfDay = 86_400

/**
 * Seconds of a point in the 24-hour course of one edge. Divides an hour, so that no point mixes minutes with samples.
 */
const courseWidth = 1800

/** Seconds of a point in the 24-hour courses of a whole fleet. */
const fleetWidth = 3600

const countOf = (from: number, to: number, width: number) => Math.ceil(to / width) - Math.floor(from / width)

const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString()

const refusal = (path: string, message: string) =>
  new AppError('VALIDATION_FAILED', { issues: [{ path: [path], message }] })

function secondsOf(path: string, text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw refusal(path, 'Must be an instant like 2026-01-31T09:12:04Z')
  return time / 1000
}
