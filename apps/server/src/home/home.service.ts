import type { Home, Project } from '@pult/contract'
import { sql } from 'kysely'
import type { Caller } from '#platform/http/route.ts'
import type { Language } from '#platform/language.ts'
import type { TargetInvitations } from '../invitations/target-invitations.ts'
import type { AccessRequestService } from '../projects/access-requests/access-request.service.ts'
import type { ProjectService } from '../projects/project.service.ts'
import type { TaskService } from '../tasks/task.service.ts'
import { taskOf } from '../tasks/task.ts'
import type { OverviewParts } from './overview.service.ts'
import { inOrder, problemOfEdge, problemOfInvitation, problemOfTask } from './problems.ts'
import { type Part, parts, rightsIn, seesEntry } from './rights.ts'

export interface HomeParts extends OverviewParts {
  projects: Pick<ProjectService, 'read' | 'overview'>
  tasks: Pick<TaskService, 'running' | 'failed'>
  invitations: Pick<TargetInvitations, 'list' | 'firstToExpire' | 'expiringCounts'>
  accessRequests: Pick<AccessRequestService, 'pending'>
  /** Returns the number of records that the caller sees in the app of a part. */
  count: Record<Exclude<Part, 'edges'>, (caller: Caller, projectId: string) => Promise<number>>
}

const problemsMost = 50
const activityMost = 8
const facesMost = 5
const invitationsMost = 5
const requestsMost = 5
const failedMost = 5

const none = { rows: [], total: 0 }

/** Returns rows with their total, which is counted only if the page may not contain all of them. */
async function counted<Row>(
  read: Promise<Row[]>,
  count: () => Promise<readonly { count: number }[]>,
): Promise<{ rows: Row[]; total: number }> {
  const rows = await read
  if (rows.length < problemsMost) return { rows, total: rows.length }
  return { rows, total: (await count()).reduce((total, one) => total + one.count, 0) }
}

/** Returns everything that a caller may see of a project. Each part takes a fixed number of statements. */
export function createHomeService(rooms: HomeParts) {
  const { projects, edges, tasks, audit, invitations, accessRequests, products, count } = rooms

  return async function home(caller: Caller, projectId: string, language: Language): Promise<Home> {
    const project = await projects.read(caller, projectId)
    const { isFull, holds, seesPeople } = rightsIn(caller, project)
    const opens = (part: Part) => {
      const sku = products.findApp(parts[part].app)?.productSku
      return sku !== undefined && project.products.includes(sku) && holds(parts[part].role)
    }
    const hasEdges = opens('edges')
    const itself = sql`select ${projectId}::uuid`
    const countOf = (part: 'media' | 'notes') => (opens(part) ? count[part](caller, projectId) : null)

    const [fleet, ofEdges, running, failed, lastFailure, activity, pending, expiring, asked, media, notes] =
      await Promise.all([
        hasEdges ? edges.fleet.ofProject(projectId) : null,
        hasEdges
          ? counted(edges.fleet.problems(itself, problemsMost), () => edges.fleet.problemCounts(itself))
          : none,
        tasks.running(projectId),
        counted(tasks.failed.oldest(itself, problemsMost), () => tasks.failed.counts(itself)),
        tasks.failed.lastFailure(projectId),
        audit.activity.ofProject(projectId, seesEntry(caller), activityMost),
        isFull ? invitations.list({ projectId }) : null,
        isFull
          ? counted(invitations.firstToExpire(itself, problemsMost), () => invitations.expiringCounts(itself))
          : none,
        isFull ? accessRequests.pending(projectId) : null,
        countOf('media'),
        countOf('notes'),
      ])
    const problems = inOrder([
      ...ofEdges.rows.map(problemOfEdge),
      ...failed.rows.map((row) => problemOfTask(caller, row)),
      ...expiring.rows.map(problemOfInvitation),
    ]).map(({ problem }) => problem)
    const ends = [fleet?.wellSince ?? null, lastFailure].flatMap((end) => end?.getTime() ?? [])

    return {
      at: new Date().toISOString(),
      project: {
        _id: project._id,
        label: project.label,
        org: project.org,
        orgLabel: project.orgLabel,
        owner: { _id: project.owner, name: project.ownerName },
      },
      me: { access: project.access, roles: products.roleLabels(rolesOf(project, caller), language) },
      people: seesPeople ? peopleOf(project) : null,
      problems: problems.slice(0, problemsMost),
      problemsTotal: ofEdges.total + failed.total + expiring.total,
      wellSince: problems.length > 0 || ends.length === 0 ? null : new Date(Math.max(...ends)).toISOString(),
      fleet: fleet?.fleet ?? null,
      tasks: {
        running: running.items,
        runningTotal: running.total,
        failed: failed.rows.slice(-failedMost).toReversed().map(taskOf),
        failedTotal: failed.total,
      },
      activity,
      invitations: pending && {
        total: pending.length,
        items: pending
          .toSorted((a, b) => (a.expiresAt < b.expiresAt ? -1 : 1))
          .slice(0, invitationsMost)
          .map(({ _id, email, expiresAt, isExpired, productRole }) => ({
            _id,
            email,
            expiresAt,
            isExpired,
            role: products.roleLabels(productRole === null ? [] : [productRole], language)[0] ?? null,
          })),
      },
      accessRequests: asked && {
        total: asked.length,
        items: asked.slice(0, requestsMost).map((request) => ({
          ...request,
          role: products.roleLabels([request.productRole], language)[0] ?? request.productRole,
        })),
      },
      counts: { edges: fleet?.fleet.counts.total ?? null, media, notes },
    }
  }
}

const rolesOf = ({ grants }: Project, { personId }: Caller) =>
  grants.flatMap(({ user, productRole }) => (user === personId && productRole !== null ? [productRole] : []))

/** The owner and the holders of grants, each once. */
function peopleOf({ owner, ownerName, grants }: Project): NonNullable<Home['people']> {
  const names = new Map([[owner, ownerName], ...grants.map(({ user, name }) => [user, name] as const)])
  const first = [...names].slice(0, facesMost).map(([_id, name]) => ({ _id, name }))
  return { total: names.size, first }
}
