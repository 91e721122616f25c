import { type RawBuilder, sql } from 'kysely'
import { fleetState } from '../fleet.ts'

/** Whether an edge `e` with its presence `p` is in the group `g`. */
export const isMember = sql<boolean>`e.tags @> g.all_tags and (g.any_tags = '{}' or e.tags && g.any_tags)
  and (g.places = '{}' or e.place = any(g.places)) and (g.versions = '{}' or p.version = any(g.versions))
  and (g.states = '{}' or ${fleetState} = any(g.states))`

/** Whether an edge `e` with its presence `p` is in this group of its project. A deleted group has no edges. */
export const isInGroup = (groupId: string): RawBuilder<boolean> => sql`exists (
  select from edge_group g where g.id = ${groupId}::uuid and g.project_id = e.project_id and ${isMember})`
