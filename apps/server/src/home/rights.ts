import type { Project } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '#platform/http/route.ts'
import type { AuditEvent } from '../audit/audit.service.ts'
import { projectsWithRole } from '../projects/project-overview.ts'

/** Apps with their own part of home, by id, with the role that opens them. */
export const parts = {
  edges: { app: 'edges', role: 'edges' },
  media: { app: 'media-library', role: 'media-library' },
  notes: { app: 'project-details', role: 'project-details:notes' },
} as const
export type Part = keyof typeof parts

/** The part of an event before the dot. */
type RoomOf<Event extends string> = Event extends `${infer Room}.${string}` ? Room : never

/**
 * The users who see the audit entries of a room: those who may read the records that the entries are about. Root, the
 * owner of the project and the user who acted see them as well. A `reader` sees the project, an `editor` owns its
 * organisation, and all other values are roles. The compiler rejects an event whose room is missing.
 */
const seenBy: Record<RoomOf<AuditEvent>, readonly string[]> = {
  project: ['reader'],
  task: ['reader'],
  'task-token': ['editor'],
  grant: ['editor', 'project-details:people'],
  extension: ['editor', 'project-details:settings'],
  note: [parts.notes.role],
  notes: [parts.notes.role],
  medium: [parts.media.role],
  media: [parts.media.role],
  edge: [parts.edges.role],
  'edge-group': [parts.edges.role],
  'edge-job': [parts.edges.role],
  'edge-schedule': [parts.edges.role],
  'edge-key': ['edges:manage'],
  // The owner and root list invitations and requests for access.
  invitation: [],
  access: [],
  // A press belongs to the user or to the account of the deck.
  'deck-key': [],
  // Events without a project.
  login: [],
  session: [],
  sessions: [],
  profile: [],
  password: [],
  email: [],
  passkey: [],
  otp: [],
  person: [],
  organisation: [],
  membership: [],
  link: [],
  mail: [],
  audit: [],
  retention: [],
  backup: [],
  installation: [],
}

const seers = [...new Set(Object.values(seenBy).flat())]
const roomsSeenBy = (seer: string) =>
  Object.entries(seenBy).flatMap(([room, by]) => (by.includes(seer) ? [room] : []))

/**
 * Returns the caller's rights in one project: DEC-14. Root and the owner see everything. An organisation's owner sees
 * no app.
 */
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
 * Returns the condition on an audit entry `a` of a project `p` in an organisation `o` that the caller may see. The
 * owner and root see all entries. Other callers see their own entries, and those about records that they may read.
 */
export function seesEntry(caller: Pick<Caller, 'isRoot' | 'personId' | 'scope'>): RawBuilder<boolean> {
  if (caller.isRoot) return sql`true`
  const { personId } = caller
  const is = (seer: string) => {
    if (seer === 'reader') return sql`true`
    if (seer === 'editor') return sql`o.owner_id = ${personId}::uuid`
    return sql`p.id = any(${projectsWithRole(caller, seer)}::uuid[])`
  }
  const bySeer = seers.map(
    (seer) => sql`split_part(a.event, '.', 1) = any(${roomsSeenBy(seer)}::text[]) and ${is(seer)}`,
  )
  return sql`(
    p.owner_id = ${personId}::uuid or a.actor_id = ${personId}::uuid or ${sql.join(bySeer, sql` or `)}
  )`
}
