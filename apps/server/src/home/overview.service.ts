import type { FleetCounts, Overview, Problem, ProjectState } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import { pageOf, pageSizeOf } from '#platform/database/page.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Language } from '#platform/language.ts'
import type { AuditService } from '../audit/audit.service.ts'
import type { EdgeService } from '../edges/edge.service.ts'
import type { ProductRegistry } from '../extensions/manifests/product-registry.ts'
import type { TargetInvitations } from '../invitations/target-invitations.ts'
import type { ProjectService } from '../projects/project.service.ts'
import type { Extent, ProjectFrame } from '../projects/project-overview.ts'
import type { TaskService } from '../tasks/task.service.ts'
import { createOverviewOrder, type OverviewQuery, type ProblemProject } from './overview-order.ts'
import { byRank, inOrder, problemOfEdge, problemOfInvitation, problemOfTask, severityOf } from './problems.ts'
import { parts, rightsIn, seesEntry } from './rights.ts'

/** The parts that an overview reads. */
export interface OverviewParts {
  projects: Pick<ProjectService, 'overview'>
  edges: Pick<EdgeService, 'fleet' | 'reach'>
  tasks: Pick<TaskService, 'failed'>
  audit: Pick<AuditService, 'activity'>
  invitations: Pick<TargetInvitations, 'firstToExpire' | 'expiringCounts'>
  products: ProductRegistry
}

type Who = Pick<Caller, 'personId' | 'isRoot' | 'scope'>

const attentionMost = 10
const activityMost = 8

const noEdges: FleetCounts = {
  total: 0,
  online: 0,
  trouble: 0,
  offline: 0,
  waiting: 0,
  revoked: 0,
  silent: 0,
}

/**
 * Returns the state of all projects that a caller may see. Partial indexes answer the statements about problems, so
 * that only the projects on the page are read.
 */
export function createOverviewService(rooms: OverviewParts) {
  const { projects, edges, tasks, audit, invitations, products } = rooms
  const order = createOverviewOrder({ projects, audit })

  return async function overview(
    caller: Who,
    { query, extent, language }: { query: OverviewQuery; extent: Extent; language: Language },
  ): Promise<Overview> {
    const { after, search, attentionExcept } = query
    const size = pageSizeOf(query)
    const { overview: all } = projects
    const sku = products.findApp(parts.edges.app)?.productSku ?? ''
    const ids = {
      readable: all.readableIds(caller, extent),
      edges: all.idsWithRole(caller, { role: parts.edges.role, sku }, extent),
      owned: all.ownedIds(caller, extent),
    }

    /** Later pages have no summary, and need only the number of problems in each project. */
    const ofEdges =
      after === undefined
        ? edges.fleet.condition(ids.edges, attentionMost, attentionExcept)
        : edges.fleet
            .problemCounts(ids.edges)
            .then((problemCounts) => ({ counts: null, problems: [], problemCounts }))
    const ofTasks = tasks.failed.counts(ids.readable)
    const ofInvitations = invitations.expiringCounts(ids.owned)
    const allCounts = Promise.all([ofEdges, ofTasks, ofInvitations]).then(
      ([{ problemCounts }, failed, expiring]) => [...problemCounts, ...failed, ...expiring],
    )
    const allProblemProjects = allCounts.then(problemProjectsFrom)

    const others = (projectIds: RawBuilder<unknown>) =>
      attentionExcept === undefined
        ? projectIds
        : sql`select id from (${projectIds}) p where id <> ${attentionExcept}::uuid`

    async function worstOfAll() {
      const [{ problems }, failed, expiring] = await Promise.all([
        ofEdges,
        tasks.failed.oldest(others(ids.readable), attentionMost),
        invitations.firstToExpire(others(ids.owned), attentionMost),
      ])
      return inOrder([
        ...problems.map(problemOfEdge),
        ...failed.map((row) => problemOfTask(caller, row)),
        ...expiring.map(problemOfInvitation),
      ]).slice(0, attentionMost)
    }

    const [
      { counts: fleet },
      counts,
      problemProjects,
      failedCounts,
      running,
      total,
      places,
      worst,
      activity,
    ] = await Promise.all([
      ofEdges,
      allCounts,
      allProblemProjects,
      ofTasks,
      tasks.failed.running(ids.readable),
      all.count(caller, extent, search),
      order.placesOnPage(caller, { query, extent, problemProjects: () => allProblemProjects }),
      after === undefined ? worstOfAll() : [],
      after === undefined ? audit.activity.ofProjects(ids.readable, seesEntry(caller), activityMost) : [],
    ])
    const problemProjectById = new Map(problemProjects.map((one) => [one.id, one]))
    const failed = new Map(failedCounts.map(({ projectId, count }) => [projectId, count]))

    const onPage = places.slice(0, size).map(({ id }) => id)
    const [frames, fleets, reaches, last] = await Promise.all([
      all.frames(caller, [...new Set([...onPage, ...worst.map(({ projectId }) => projectId)])]),
      edges.fleet.countsByProject(onPage),
      edges.reach(onPage),
      audit.activity.lastOf(onPage, seesEntry(caller)),
    ])
    const seesEdges = (frame: ProjectFrame) =>
      frame.products.includes(sku) && rightsIn(caller, frame).holds(parts.edges.role)
    const stateOf = (frame: ProjectFrame): ProjectState => {
      const { products: _products, roles, ...shown } = frame
      const own = problemProjectById.get(frame._id)
      return {
        ...shown,
        roles: products.roleLabels(roles, language),
        fleet: seesEdges(frame) ? (fleets.get(frame._id) ?? noEdges) : null,
        reach: seesEdges(frame) ? (reaches.get(frame._id) ?? null) : null,
        problems: {
          count: own?.count ?? 0,
          worst: own === undefined ? null : severityOf(own.kind),
          kind: own?.kind ?? null,
        },
        tasks: { running: running.get(frame._id) ?? 0, failed: failed.get(frame._id) ?? 0 },
        lastActivityAt: last.get(frame._id)?.toISOString() ?? null,
      }
    }
    const page = pageOf(places, {
      size,
      count: total,
      keyOf: ({ next }) => next,
      itemOf: ({ id }) => frames.get(id),
    })
    const sum = (numbers: Iterable<number>) => [...numbers].reduce((a, b) => a + b, 0)
    return {
      ...page,
      // Omit a project that was deleted concurrently.
      items: page.items.flatMap((frame) => (frame === undefined ? [] : stateOf(frame))),
      at: new Date().toISOString(),
      summary:
        after === undefined
          ? {
              edges: fleet === null || fleet.total === 0 ? null : fleet,
              problems: sum(counts.map(({ count }) => count)),
              tasks: { running: sum(running.values()), failed: sum(failed.values()) },
              attention: worst.flatMap(({ projectId, problem }) => {
                const frame = frames.get(projectId)
                return frame === undefined
                  ? []
                  : [{ ...problem, project: { _id: projectId, label: frame.label } }]
              }),
              activity,
            }
          : null,
    }
  }
}

/** The projects with problems, the worst first. */
function problemProjectsFrom(
  counts: readonly { projectId: string; kind: string; count: number; since: Date }[],
): ProblemProject[] {
  const byProject = new Map<string, ProblemProject>()
  for (const { projectId, kind, count, since } of counts) {
    const own = { id: projectId, count, kind: kind as Problem['kind'], since: since.toISOString() }
    const known = byProject.get(projectId)
    if (known === undefined) byProject.set(projectId, own)
    else {
      const worse = byRank(own, known) < 0 ? own : known
      byProject.set(projectId, { ...worse, count: known.count + count })
    }
  }
  return [...byProject.values()].toSorted(byRank)
}
