import { type EdgeReport, type Problem, repairEdgeReport } from '@pult/contract'
import type { Caller } from '#platform/http/route.ts'
import type { EdgeProblem } from '../edges/fleet.ts'
import type { ExpiringInvitation } from '../invitations/target-invitations.ts'
import { type TaskOfProjectRow, taskOf } from '../tasks/task.ts'

/** A problem with the project that has it. */
export interface FoundProblem {
  projectId: string
  problem: Problem
}

type Kind = Problem['kind']

/** The order of problems: edges offline, failed tasks, trouble of an edge, invitations. */
const rankOf = {
  edgeOffline: 0,
  taskFailed: 1,
  diskFull: 2,
  programStopped: 2,
  invitationExpires: 3,
} as const satisfies Record<Kind, number>

const severities = ['danger', 'danger', 'warning', 'info'] as const

export const severityOf = (kind: Kind) => severities[rankOf[kind]]

const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

/** Orders by rank, and within a rank by duration, the longest first. */
export const byRank = (
  a: { kind: Kind; since: string; id: string },
  b: { kind: Kind; since: string; id: string },
): number => rankOf[a.kind] - rankOf[b.kind] || compare(a.since, b.since) || compare(a.id, b.id)

const startOf = (problem: Problem) =>
  problem.kind === 'invitationExpires' ? problem.expiresAt : problem.since

export const inOrder = (found: readonly FoundProblem[]): FoundProblem[] =>
  found.toSorted((a, b) =>
    byRank(
      { kind: a.problem.kind, since: startOf(a.problem), id: a.problem.id },
      { kind: b.problem.kind, since: startOf(b.problem), id: b.problem.id },
    ),
  )

const percent = (part: number, whole: number) => (whole > 0 ? Math.round((part * 100) / whole) : null)

const usedPercent = (space: { total: number; free: number } | null) =>
  space === null ? null : percent(space.total - space.free, space.total)

const valuesOf = ({ load, cores, memory, disk, missing = {} }: EdgeReport) => ({
  load: missing['load'] === undefined && missing['cores'] === undefined ? percent(load[0], cores) : null,
  memory: usedPercent(memory),
  disk: usedPercent(disk),
})

export function problemOfEdge({
  projectId,
  kind,
  edge,
  since,
  report,
  silence,
  program,
}: EdgeProblem): FoundProblem {
  // A report that another release has stored must not hide the other problems.
  const stored = repairEdgeReport(report)?.report
  const common = { edge, since: since.toISOString(), severity: severityOf(kind) }
  if (kind === 'edgeOffline') {
    const last = stored === undefined ? null : valuesOf(stored)
    return { projectId, problem: { ...common, kind, id: `offline:${edge._id}`, last, silence } }
  }
  if (kind === 'diskFull') {
    // The disk may have been emptied since the row was read. 90 % is the threshold of this problem.
    const used = Math.max(90, usedPercent(stored?.disk ?? null) ?? 100)
    return { projectId, problem: { ...common, kind, id: `disk:${edge._id}`, usedPercent: used } }
  }
  const { key, ...named } = program ?? { _id: edge._id, label: '', key: '' }
  const canRestart = stored?.instances.some((one) => one.key === key && one.canRestart) === true
  return { projectId, problem: { ...common, kind, id: `program:${named._id}`, program: named, canRestart } }
}

export function problemOfTask(
  { personId, isRoot }: Pick<Caller, 'personId' | 'isRoot'>,
  row: TaskOfProjectRow,
): FoundProblem {
  const { _id, type, title, fulfilledAt, isRejected, error, errorMessage, createdBy, canRetry } = taskOf(row)
  const mayEnd = isRoot || [row.projectOwner, row.creatorId].includes(personId)
  return {
    projectId: row.project_id,
    problem: {
      kind: 'taskFailed',
      severity: severityOf('taskFailed'),
      id: `task:${_id}`,
      task: { _id, type, title },
      since: fulfilledAt ?? '',
      reason: isRejected ? 'rejected' : 'timed-out',
      error,
      ...(errorMessage !== undefined && { errorMessage }),
      startedBy:
        createdBy === null
          ? null
          : { _id: createdBy._id, name: `${createdBy.firstname} ${createdBy.lastname}` },
      mayEnd,
      mayRetry: mayEnd && canRetry,
    },
  }
}

export const problemOfInvitation = ({
  _id,
  projectId,
  email,
  expiresAt,
  isExpired,
}: ExpiringInvitation): FoundProblem => ({
  projectId,
  problem: {
    kind: 'invitationExpires',
    severity: severityOf('invitationExpires'),
    id: `invitation:${_id}`,
    invitation: _id,
    email,
    expiresAt: expiresAt.toISOString(),
    isExpired,
  },
})
