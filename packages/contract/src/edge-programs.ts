import * as z from 'zod/mini'
import { instant, wholeNumber } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { task } from './tasks.ts'

/*
 * Programs of an edge that its agent starts and stops: those that it supervises, and units of systemd that it has
 * adopted. Their logs stay on the edge. The server asks for lines only while a user looks at them (decision record 173).
 */

const count = wholeNumber(0, Number.MAX_SAFE_INTEGER)
const text = (most: number) => z.string().check(z.maxLength(most), z.regex(/^[^\p{Cc}\p{Cs}]*$/u))

/** How a program ended. */
const programExit = z.object({
  /** Null for a program that was killed or not started. */
  code: z.nullable(wholeNumber(-(2 ** 31), 2 ** 32)),
  /** `SIGKILL` */
  signal: z.nullable(text(20)),
  /** Why it was killed or could not be started, in the words of the agent. */
  reason: z.nullable(text(100)),
})

/** What an agent reports about a program. */
export const edgeProgram = z.object({
  /** Seconds in its present state; null if unknown. */
  since: z.nullable(count),
  /** How often it was started again after an end that no user had asked for. */
  restarts: count,
  lastExit: z.nullable(programExit),
})
export type EdgeProgram = z.infer<typeof edgeProgram>

/** The same for readers. */
export const edgeProgramState = z.object({
  /** Since when it is in its present state; null if unknown. */
  since: z.nullable(instant),
  restarts: z.number(),
  lastExit: z.nullable(programExit),
})

const lineNumber = z.optional(z.string().check(z.regex(/^\d{1,15}$/, 'Must be the number of a line')))

const edgeLogLines = z.object({
  /** Number of the first line. Lines of a log keep their numbers. Without lines that of the next line. */
  first: z.number(),
  /** Each begins with its time, `2026-01-31T09:12:04.120Z `. */
  lines: z.array(z.string()),
  /** Number of the first line that the edge still has. */
  oldest: z.number(),
})

const instancePath = '/projects/:projectId/edges/:edgeId/instances/:instanceId'
const seen = ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'] as const
const commanded = [...seen, 'EDGE_OFFLINE', 'EDGE_CANNOT', 'TOO_MANY_TASKS'] as const
const asked = [...seen, 'EDGE_OFFLINE', 'EDGE_CANNOT', 'EDGE_DID_NOT_ANSWER'] as const

/** All of these need the role `edges:manage`, because logs can contain secrets. */
export const edgeProgramEndpoints = {
  start: endpoint('POST', `${instancePath}/start`, {
    summary: 'Starts a program of an edge, as a task.',
    reply: task,
    errors: [...commanded],
  }),
  stop: endpoint('POST', `${instancePath}/stop`, {
    summary: 'Stops a program of an edge until a user starts it again, as a task.',
    reply: task,
    errors: [...commanded],
  }),
  log: endpoint('GET', `${instancePath}/log`, {
    summary:
      'The newest lines of a program’s log, from the edge. A higher `first` than `after` + 1 means that lines were skipped.',
    query: z.strictObject({
      /** Only lines with higher numbers: the last line that the caller has. */
      after: lineNumber,
      /** Only lines with lower numbers. */
      before: lineNumber,
    }),
    reply: edgeLogLines,
    errors: [...asked],
  }),
  logFile: endpoint('GET', `${instancePath}/log.txt`, {
    summary: 'All that the edge has of a program’s log, up to 10 MiB, as text.',
    reply: z.string(),
    errors: [...asked],
  }),
}
