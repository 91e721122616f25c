import type { Project } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '#platform/http/route.ts'
import { projectsWithRole } from '../projects/project-overview.ts'

/** Apps with parts of their own on home, by id, with the role that opens them. */
export const parts = {
  edges: { app: 'edges', role: 'edges' },
  media: { app: 'media-library', role: 'media-library' },
  notes: { app: 'project-details', role: 'project-details:notes' },
} as const
export type Part = keyof typeof parts

/** The audit events of each part, by the prefix before the dot. */
const eventsOf = {
  edges: ['edge', 'edge-group', 'edge-job'],
  media: ['medium', 'media'],
  notes: ['note', 'notes'],
} as const satisfies Record<Part, readonly string[]>

/** Events that every reader of a project may see: the project and its tasks are open to them. */
const openEvents = ['project', 'task']

/** What the caller may see of one project: DEC-14. Root and the owner see all, an organisation's owner no app. */
export function rightsIn({ scope }: Pick<Caller, 'scope'>, { _id, access }: Pick<Project, '_id' | 'access'>) {
  const isFull = access === 'owner' || access === 'root'
  const holds = (role: string) => isFull || scope.includes(`p-${_id}/r-${role}`)
  return {
    isFull,
    holds,
    seesPeople: access !== 'grant' || holds('project-details:people'),
  }
}

/**
 * The condition on an entry `a` of the audit log of a project `p` in an organisation `o`: all for its owner and root,
 * otherwise the caller's own entries and those about records that the caller may read.
 */
export function seesEntry(caller: Pick<Caller, 'isRoot' | 'personId' | 'scope'>): RawBuilder<boolean> {
  if (caller.isRoot) return sql`true`
  const { personId } = caller
  const room = sql`split_part(a.event, '.', 1)`
  const byRole = Object.entries(parts).map(
    ([part, { role }]) =>
      sql`${room} = any(${[...eventsOf[part as Part]]}::text[]) and p.id = any(${projectsWithRole(caller, role)}::uuid[])`,
  )
  return sql`(
    p.owner_id = ${personId}::uuid or a.actor_id = ${personId}::uuid or ${room} = any(${openEvents}::text[])
    or ${sql.join(byRole, sql` or `)}
    or ${room} = 'grant' and (
      o.owner_id = ${personId}::uuid or p.id = any(${projectsWithRole(caller, 'project-details:people')}::uuid[])
    )
  )`
}
