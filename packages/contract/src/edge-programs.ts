import * as z from 'zod/mini'
import { instant, wholeNumber } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { task } from './tasks.ts'
import { machineText } from './text.ts'

/*
 * Programs of an edge that its agent starts and stops: supervised programs and adopted systemd units. Logs stay on the
 * edge. The server requests lines only while a user views them (decision record 173).
 */

const count = wholeNumber(0, Number.MAX_SAFE_INTEGER)

/** How a program ended. */
const programExit = z.object({
  /** Exit code; null for a program that was killed or not started. */
  code: z.nullable(wholeNumber(-(2 ** 31), 2 ** 32)),
  /** Signal that ended the program, such as `SIGKILL`; null without one. */
  signal: z.nullable(machineText(20)),
  /** The agent's reason why it killed or could not start the program; null without one. */
  reason: z.nullable(machineText(100)),
})

/** The state of a program, as its agent reports it. */
export const edgeProgram = z.object({
  /** Seconds in the current state; null if unknown. */
  since: z.nullable(count),
  /** Number of restarts after an end that no user requested. */
  restarts: count,
  lastExit: z.nullable(programExit),
})
export type EdgeProgram = z.infer<typeof edgeProgram>

/** State of a program as the API returns it, with an instant instead of seconds. */
export const edgeProgramState = z.object({
  /** Start of the current state; null if unknown. */
  since: z.nullable(instant),
  restarts: z.number(),
  lastExit: z.nullable(programExit),
})

const lineNumber = z.optional(z.string().check(z.regex(/^\d{1,15}$/, 'Must be the number of a line')))

const edgeLogLines = z.object({
  /** Number of the first line; without lines, the number of the next line. Line numbers never change. */
  first: z.number(),
  /** Each line begins with its time, `2026-01-31T09:12:04.120Z `. */
  lines: z.array(z.string()),
  /** Number of the first line that the edge still has. */
  oldest: z.number(),
})

const instancePath = '/projects/:projectId/edges/:edgeId/instances/:instanceId'
const seen = ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'] as const
const commanded = [...seen, 'EDGE_OFFLINE', 'EDGE_CANNOT', 'TOO_MANY_TASKS'] as const
const asked = [...seen, 'EDGE_OFFLINE', 'EDGE_CANNOT', 'EDGE_DID_NOT_ANSWER'] as const

/** All calls need the role `edges:manage`, because logs can contain secrets. */
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
      'Returns the newest lines of a program’s log from the edge; a `first` above `after` + 1 means that lines were skipped.',
    query: z.strictObject({
      /** Number of the caller's last line. Only later lines are returned. */
      after: lineNumber,
      /** Only lines with lower numbers are returned. */
      before: lineNumber,
    }),
    reply: edgeLogLines,
    errors: [...asked],
  }),
  logFile: endpoint('GET', `${instancePath}/log.txt`, {
    summary: 'Returns all lines of a program’s log that the edge still has, up to 10 MiB, as text.',
    reply: z.string(),
    replyTypes: ['text/plain'],
    errors: [...asked],
  }),
}
