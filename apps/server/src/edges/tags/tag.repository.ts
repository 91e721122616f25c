import { type EdgeFacets, limits } from '@pult/contract'
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { orderOf } from '#platform/database/name-order.ts'

/** Maximum number of listed values. The search finds all others. */
const facetsMost = 200

interface Tagged {
  id: string
  label: string
  revision: number
  tags: string[]
  added: string[]
  removed: string[]
}

export function createTagRepository(db: Db) {
  return {
    async facets(projectId: string): Promise<EdgeFacets> {
      const { rows } = await sql<{ kind: keyof EdgeFacets; value: string; count: number }>`
        with own as (
          select e.id, e.tags, e.place, p.version
          from edge e left join edge_presence p on p.edge_id = e.id where e.project_id = ${projectId}
        ), valued as (
          select 'tags' as kind, tag as value from own, unnest(tags) tag
          union all select 'places', place from own where place is not null
          union all select 'versions', version from own where version is not null
        ), ranked as (
          select kind, value, count(*), row_number() over (partition by kind order by count(*) desc, ${orderOf(sql`value`)}, value collate "C") as rank
          from valued group by kind, value
        )
        select kind, value, count from ranked where rank <= ${facetsMost} order by rank`.execute(db)
      const of = (facet: keyof EdgeFacets) =>
        rows.flatMap(({ kind, value, count }) => (kind === facet ? [{ value, count }] : []))
      return { tags: of('tags'), places: of('places'), versions: of('versions') }
    },

    /** Locks those of the edges that are in the project, in one order for all callers. Returns their number. */
    async lock(projectId: string, edgeIds: readonly string[]): Promise<number> {
      const { rows } = await sql`
        select id from edge where project_id = ${projectId} and id = any(${edgeIds}::uuid[]) order by id for update`.execute(
        db,
      )
      return rows.length
    },

    /** Changes the tags of locked edges in one statement. Returns the edges whose tags have changed. */
    async change(
      edgeIds: readonly string[],
      { add, remove, personId }: { add: readonly string[]; remove: readonly string[]; personId: string },
    ): Promise<Tagged[]> {
      const { rows } = await sql<Tagged>`
        with wanted as (
          select id, tags as before, array(select tag from unnest(tags) with ordinality kept (tag, place)
              where tag <> all(${remove}::text[]) order by place)
            || array(select tag from unnest(${add}::text[]) with ordinality fresh (tag, place)
              where tag <> all(tags) order by place) as tags
          from edge where id = any(${edgeIds}::uuid[])
        )
        update edge set tags = wanted.tags, revision = revision + 1, updated_at = clock_timestamp(), updated_by = ${personId}
        from wanted where edge.id = wanted.id and wanted.tags <> wanted.before
        returning edge.id, edge.label, edge.revision, edge.tags,
          array(select unnest(wanted.tags) except select unnest(wanted.before)) as added,
          array(select unnest(wanted.before) except select unnest(wanted.tags)) as removed`.execute(db)
      return rows
    },
  }
}

/** Returns whether any of the edges has more tags than allowed. */
export const haveTooMany = (tagged: readonly Pick<Tagged, 'tags'>[]): boolean =>
  tagged.some(({ tags }) => tags.length > limits.edgeTagsMax)
