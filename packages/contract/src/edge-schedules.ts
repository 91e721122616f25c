import * as z from 'zod/mini'
import { id, instant, lastChange, listOf, revision, wholeNumber } from './collection.ts'
import { edgeJobCommand } from './edge-jobs.ts'
import { endpoint } from './endpoint.ts'
import { label } from './label.ts'
import { limits } from './limits.ts'
import { resource } from './resource.ts'
import { asciiDigits } from './text.ts'

/*
 * Schedules: rules that start jobs for a group of edges at set times (decision record 170). Changes are published on
 * `/projects/{id}/edge-jobs`.
 */

/** Five fields of cron: minute, hour, day of the month, month, day of the week; with digits of any script. */
const cron = z.string().check(z.minLength(1), z.maxLength(100, { abort: true }), z.overwrite(asciiDigits))
/** A name of the IANA time zone database, such as `Europe/Berlin`. */
const timeZone = z.string().check(z.minLength(1), z.maxLength(64))

/**
 * Why no job started at its time. `late`: no node of the server was running; `noRight`: the account that saved the
 * schedule may no longer manage the edges; `groupGone`: the group was deleted; `reachesNone`: no edge of the group has
 * the command; `tooMany`: the project had reached its limit of unfinished jobs.
 */
const edgeScheduleMiss = z.enum(['late', 'noRight', 'groupGone', 'reachesNone', 'tooMany'])
export type EdgeScheduleMiss = z.infer<typeof edgeScheduleMiss>

const edgeScheduleRun = z.object({
  dueAt: instant,
  /** The started job; null for a missed run, and for a job that is no longer kept. */
  job: z.nullable(id),
  missed: z.nullable(edgeScheduleMiss),
  /** Number of runs in this entry: more than 1 only if `missed` is `late`. 100 means 100 or more. */
  count: z.number(),
})
export type EdgeScheduleRun = z.infer<typeof edgeScheduleRun>

const edgeSchedule = z.object({
  _id: id,
  label: z.string(),
  command: edgeJobCommand,
  /** Group whose edges receive the command, evaluated at each run. Null for a deleted group. */
  group: z.nullable(id),
  groupLabel: z.nullable(z.string()),
  cron: z.string(),
  timeZone: z.string(),
  atOnce: z.number(),
  /** Percentage of failed edges after which a run stops; null for no limit. */
  stopPercent: z.nullable(z.number()),
  isPaused: z.boolean(),
  /** Next run; null while the schedule is paused, and if no further time matches. */
  nextAt: z.nullable(instant),
  /** The newest run; null before the first one. */
  lastRun: z.nullable(edgeScheduleRun),
  createdAt: instant,
  revision,
  ...lastChange,
})
export type EdgeSchedule = z.infer<typeof edgeSchedule>

const fields = {
  label,
  command: edgeJobCommand,
  group: id,
  cron,
  timeZone,
}
const atOnce = wholeNumber(1, 500)
const stopPercent = z.nullable(wholeNumber(1, 100))

const schedules = '/projects/:projectId/edge-schedules'

/**
 * A run acts for the account that last saved the schedule. Reading schedules needs the role `edges` of the project, all
 * other calls `edges:manage`.
 */
export const edgeScheduleEndpoints = {
  ...resource(schedules, {
    name: 'schedule for edges',
    item: edgeSchedule,
    input: z.strictObject({
      ...fields,
      /** Maximum number of edges on which the command runs concurrently; 20 if omitted. */
      atOnce: z.optional(atOnce),
      /** No limit if omitted. */
      stopPercent: z.optional(stopPercent),
    }),
    change: z.strictObject({
      label: z.optional(fields.label),
      command: z.optional(fields.command),
      group: z.optional(fields.group),
      cron: z.optional(fields.cron),
      timeZone: z.optional(fields.timeZone),
      atOnce: z.optional(atOnce),
      stopPercent: z.optional(stopPercent),
      isPaused: z.optional(z.boolean()),
    }),
    errors: ['EDGE_SCHEDULE_NOT_VALID', 'TOO_MANY_EDGE_SCHEDULES'],
    proved: ['create', 'update'],
  }),
  runs: endpoint('GET', `${schedules}/:itemId/runs`, {
    summary: `Lists the last ${limits.edgeRunsKept} runs of a schedule, newest first.`,
    reply: listOf(edgeScheduleRun),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'],
  }),
  times: endpoint('GET', '/projects/:projectId/edge-schedule-times', {
    summary: 'Returns the next three times of a schedule and the next run that a change of the clocks moves.',
    query: z.strictObject({ cron, timeZone }),
    reply: z.object({
      times: z.array(instant),
      /**
       * The next run within a year whose time a change of the clocks skips: it starts at the end of the skipped time.
       * Null without one.
       */
      moved: z.nullable(instant),
    }),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN', 'EDGE_SCHEDULE_NOT_VALID'],
  }),
}
