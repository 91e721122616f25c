import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { ExportedProject } from './export-format.ts'

const sliceSize = 500

/** The project's own records for an export, in the snapshot of the given transaction. */
export function createExportRepository(db: Db, projectId: string) {
  return {
    async project(): Promise<ExportedProject | undefined> {
      const { rows } = await sql<ExportedProject>`
        select p.label, p.products, o.label as organisation,
          jsonb_build_object(
            'customer', coalesce(p.meta ->> 'customer', ''), 'projectId', coalesce(p.meta ->> 'projectId', '')
          ) as meta,
          p.config,
          jsonb_build_object('email', e.email, 'firstname', owner.firstname, 'lastname', owner.lastname) as owner,
          coalesce((
            select jsonb_agg(jsonb_build_object(
              'email', ge.email, 'firstname', holder.firstname, 'lastname', holder.lastname,
              'productRole', g.product_role
            ) order by g.created_at, g.id)
            from project_grant g
            join person holder on holder.id = g.person_id
            join email ge on ge.person_id = g.person_id and ge.is_default
            where g.project_id = p.id
          ), '[]') as grants
        from project p
        join person owner on owner.id = p.owner_id
        join email e on e.person_id = p.owner_id and e.is_default
        left join organisation o on o.id = p.organisation_id
        where p.id = ${projectId}`.execute(db)
      return rows[0]
    },

    /** Yields all tasks, including archived ones, in order of creation. */
    async *tasks(): AsyncGenerator<object[]> {
      let after: string | null = null
      do {
        const { rows }: { rows: { _id: string }[] } = await sql<{ _id: string }>`
          select task.id as "_id", task.type, task.kind, task.title, task.state, task.progress_done as "progressDone",
            task.progress_total as "progressTotal", task.info, task.error, task.created_at as "createdAt",
            task.started_at as "startedAt", task.fulfilled_at as "fulfilledAt", task.archived_at as "archivedAt",
            creator.firstname || ' ' || creator.lastname as "createdBy"
          from task left join person creator on creator.id = task.created_by and task.archived_at is null
          where task.project_id = ${projectId} and (${after}::uuid is null or task.id > ${after}::uuid)
          order by task.id limit ${sliceSize}`.execute(db)
        if (rows.length > 0) yield rows
        after = rows.length < sliceSize ? null : (rows.at(-1)?._id ?? null)
      } while (after !== null)
    },
  }
}
