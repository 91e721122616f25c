import type { overviewEndpoints, Problem, QueryOf } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import { pageSizeOf } from '#platform/database/page.ts'
import type { Caller } from '#platform/http/route.ts'
import type { AuditService } from '../audit/audit.service.ts'
import type { ProjectService } from '../projects/project.service.ts'
import type { Extent, Place } from '../projects/project-overview.ts'
import { byRank } from './problems.ts'
import { seesEntry } from './rights.ts'

export type OverviewQuery = QueryOf<typeof overviewEndpoints.read>

type Who = Pick<Caller, 'personId' | 'isRoot' | 'scope'>

/** The problems of one project: their number, and the worst that has lasted longest. */
export interface Ailing {
  id: string
  count: number
  kind: Problem['kind']
  since: string
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Where a page starts: after a project with problems, one without, or one in another order. */
type Start =
  | { sort: 'worst'; ailing?: Pick<Ailing, 'id' | 'kind' | 'since'>; well?: string }
  | { sort: 'name' | 'recent'; place?: Place }

function startOf({ after, sort = 'worst' }: OverviewQuery): Start {
  if (after === undefined) return { sort }
  const start = sort === 'worst' ? worstAfter(after) : placeAfter(after, sort)
  if (start !== undefined) return start
  throw new AppError('VALIDATION_FAILED', {
    issues: [{ path: ['after'], message: 'Must be the next of the page before' }],
  })
}

const keyOfAiling = ({ id, kind, since }: Ailing) => `${kind} ${since} ${id}`

function worstAfter(after: string): Start | undefined {
  if (uuid.test(after)) return { sort: 'worst', well: after }
  const [, kind, since, id] =
    /^(edgeOffline|taskFailed|diskFull|programStopped|invitationExpires) (\S{1,30}) ([\da-f-]{36})$/.exec(
      after,
    ) ?? []
  if (kind === undefined || since === undefined || id === undefined) return undefined
  return { sort: 'worst', ailing: { kind: kind as Problem['kind'], since, id } }
}

const keyOfPlace = ({ id, key }: Place) => `${id} ${key}`

function placeAfter(after: string, sort: 'name' | 'recent'): Start | undefined {
  const [id, text] = [after.slice(0, 36), after.slice(37)]
  const key = sort === 'name' ? text : instantOf(text)
  return uuid.test(id) && key !== undefined ? { sort, place: { id, key } } : undefined
}

/** PostgreSQL does not read the years of JavaScript before 1 and after 9999. */
function instantOf(text: string): string | undefined {
  const time = Date.parse(text)
  const instant = Number.isNaN(time) ? '' : new Date(time).toISOString()
  return /^[1-9]\d{3}-/.test(instant) ? instant : undefined
}

interface OrderParts {
  projects: Pick<ProjectService, 'overview'>
  audit: Pick<AuditService, 'activity'>
}

/** Finds the projects on a page of the overview, one more than fit, in the order that the query asks for. */
export function createOverviewOrder({ projects: { overview: all }, audit }: OrderParts) {
  return {
    /** @throws {AppError} VALIDATION_FAILED for a start that belongs to no page of this order. */
    async placesOnPage(
      caller: Who,
      { query, extent, ailing }: { query: OverviewQuery; extent: Extent; ailing: () => Promise<Ailing[]> },
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
      const worst = await ailing()
      const { ailing: from, well } = start
      const rest =
        well === undefined ? worst.filter((one) => from === undefined || byRank(one, from) > 0) : []
      const matching = await all.matching(
        rest.map(({ id }) => id),
        search,
      )
      const first = rest.filter(({ id }) => matching.has(id)).slice(0, most)
      const places = first.map((one) => ({ id: one.id, next: keyOfAiling(one) }))
      if (places.length === most) return places
      const others = await all.idsOnPage(caller, extent, {
        search,
        after: well,
        except: worst.map(({ id }) => id),
        most: most - places.length,
      })
      return [...places, ...others.map((id) => ({ id, next: id }))]
    },
  }
}
