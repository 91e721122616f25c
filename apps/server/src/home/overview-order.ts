import type { overviewEndpoints, Problem, QueryOf } from '@pult/contract'
import { pageSizeOf, unknownPage } from '#platform/database/page.ts'
import type { Caller } from '#platform/http/route.ts'
import type { AuditService } from '../audit/audit.service.ts'
import type { ProjectService } from '../projects/project.service.ts'
import type { Extent, Place } from '../projects/project-overview.ts'
import { byRank } from './problems.ts'
import { seesEntry } from './rights.ts'

export type OverviewQuery = QueryOf<typeof overviewEndpoints.read>

type Who = Pick<Caller, 'personId' | 'isRoot' | 'scope'>

/**
 * A project with problems: their number, and the kind and start of the worst one. Of equally severe problems, the
 * longest counts.
 */
export interface ProblemProject {
  id: string
  count: number
  kind: Problem['kind']
  since: string
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Where a page starts: after a project with problems, one without, or one in another order. */
type Start =
  | { sort: 'worst'; problemProject?: Pick<ProblemProject, 'id' | 'kind' | 'since'>; otherId?: string }
  | { sort: 'name' | 'recent'; place?: Place }

function startOf({ after, sort = 'worst' }: OverviewQuery): Start {
  if (after === undefined) return { sort }
  const start = sort === 'worst' ? worstAfter(after) : placeAfter(after, sort)
  if (start !== undefined) return start
  throw unknownPage()
}

const keyOfProblemProject = ({ id, kind, since }: ProblemProject) => `${kind} ${since} ${id}`

function worstAfter(after: string): Start | undefined {
  if (uuid.test(after)) return { sort: 'worst', otherId: after }
  const [, kind, since, id] =
    /^(edgeOffline|taskFailed|diskFull|programStopped|invitationExpires) (\S{1,30}) ([\da-f-]{36})$/.exec(
      after,
    ) ?? []
  if (kind === undefined || since === undefined || id === undefined) return undefined
  return { sort: 'worst', problemProject: { kind: kind as Problem['kind'], since, id } }
}

const keyOfPlace = ({ id, key }: Place) => `${id} ${key}`

function placeAfter(after: string, sort: 'name' | 'recent'): Start | undefined {
  const [id, text] = [after.slice(0, 36), after.slice(37)]
  const key = sort === 'name' ? text : instantOf(text)
  return uuid.test(id) && key !== undefined ? { sort, place: { id, key } } : undefined
}

/** Accepts the years 1000 to 9999: JavaScript writes others in forms that PostgreSQL cannot parse. */
function instantOf(text: string): string | undefined {
  const time = Date.parse(text)
  const instant = Number.isNaN(time) ? '' : new Date(time).toISOString()
  return /^[1-9]\d{3}-/.test(instant) ? instant : undefined
}

interface OrderParts {
  projects: Pick<ProjectService, 'overview'>
  audit: Pick<AuditService, 'activity'>
}

/** Finds the projects on a page of the overview in the order of the query, plus one more. */
export function createOverviewOrder({ projects: { overview: all }, audit }: OrderParts) {
  return {
    /** @throws {AppError} VALIDATION_FAILED if `after` is not the `next` of a page in this order. */
    async placesOnPage(
      caller: Who,
      {
        query,
        extent,
        problemProjects,
      }: { query: OverviewQuery; extent: Extent; problemProjects: () => Promise<ProblemProject[]> },
    ): Promise<{ id: string; next: string }[]> {
      const { search } = query
      const start = startOf(query)
      const most = pageSizeOf(query) + 1
      if (start.sort !== 'worst') {
        const page = { search, after: start.place, most }
        const places =
          start.sort === 'name'
            ? await all.byName(caller, extent, page)
            : await all.byTime(caller, extent, audit.activity.lastOfProject(seesEntry(caller)), page)
        return places.map((place) => ({ id: place.id, next: keyOfPlace(place) }))
      }
      const worst = await problemProjects()
      const { problemProject: from, otherId } = start
      const rest =
        otherId === undefined ? worst.filter((one) => from === undefined || byRank(one, from) > 0) : []
      const matching = await all.matching(
        rest.map(({ id }) => id),
        search,
      )
      const first = rest.filter(({ id }) => matching.has(id)).slice(0, most)
      const places = first.map((one) => ({ id: one.id, next: keyOfProblemProject(one) }))
      if (places.length === most) return places
      const others = await all.idsOnPage(caller, extent, {
        search,
        after: otherId,
        except: worst.map(({ id }) => id),
        most: most - places.length,
      })
      return [...places, ...others.map((id) => ({ id, next: id }))]
    },
  }
}
