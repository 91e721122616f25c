import * as z from 'zod/mini'
import { id, instant, label, lastChange, listOf, revision, wholeNumber } from './collection.ts'
import { edgeJobCommand } from './edge-jobs.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { resource } from './resource.ts'

/*
 * Schedules: rules that start jobs for a group of edges at certain times (decision record 170). Changes are published on
 * `/projects/{id}/edge-jobs`.
 */

/** Five fields of cron: minute, hour, day of the month, month, day of the week. */
const cron = z.string().check(z.minLength(1), z.maxLength(100))
/** A name of the IANA database, such as `Europe/Berlin`. */
const timeZone = z.string().check(z.minLength(1), z.maxLength(64))

/**
 * Why no job began at its time. `late`: no node of the server was running; `noRight`: the account that saved the schedule
 * may not manage the edges any more; `groupGone`; `reachesNone`: no edge of the group has the command; `tooMany`: the
 * project had reached its limit of unfinished jobs.
 */
const edgeScheduleMiss = z.enum(['late', 'noRight', 'groupGone', 'reachesNone', 'tooMany'])
export type EdgeScheduleMiss = z.infer<typeof edgeScheduleMiss>

const edgeScheduleRun = z.object({
  dueAt: instant,
  /** The job that began; null for a missed run, and for a job that is no longer kept. */
  job: z.nullable(id),
  missed: z.nullable(edgeScheduleMiss),
  /** Times that this entry stands for: more than one only if `missed` is `late`. 100 means 100 or more. */
  count: z.number(),
})
export type EdgeScheduleRun = z.infer<typeof edgeScheduleRun>

const edgeSchedule = z.object({
  _id: id,
  label: z.string(),
  command: edgeJobCommand,
  /** The group whose edges at the time of a run receive the command. Null for a group that was deleted. */
  group: z.nullable(id),
  groupLabel: z.nullable(z.string()),
  cron: z.string(),
  timeZone: z.string(),
  atOnce: z.number(),
  /** Percentage of failed edges after which a run stops; null for none. */
  stopPercent: z.nullable(z.number()),
  isPaused: z.boolean(),
  /** Null while it is paused, and if no further time matches. */
  nextAt: z.nullable(instant),
  /** The newest run. */
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
 * A run acts for the account that saved the schedule last. To see schedules needs the role `edges` of the project, all
 * else `edges:manage`.
 */
export const edgeScheduleEndpoints = {
  ...resource(schedules, {
    name: 'schedule for edges',
    item: edgeSchedule,
    input: z.strictObject({
      ...fields,
      /** 20 when left out. */
      atOnce: z.optional(atOnce),
      /** None when left out. */
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
  }),
  runs: endpoint('GET', `${schedules}/:itemId/runs`, {
    summary: `The last ${limits.edgeRunsKept} runs of a schedule, newest first.`,
    reply: listOf(edgeScheduleRun),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'],
  }),
  times: endpoint('GET', '/projects/:projectId/edge-schedule-times', {
    summary: 'The next three times of a schedule, and the next one that the clock of its zone skips.',
    query: z.strictObject({ cron, timeZone }),
    reply: z.object({
      times: z.array(instant),
      /** The run at the end of a time that does not exist on that day, within a year. */
      moved: z.nullable(instant),
    }),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN', 'EDGE_SCHEDULE_NOT_VALID'],
  }),
}
