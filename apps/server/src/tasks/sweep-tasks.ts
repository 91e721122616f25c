import { limits } from '@pult/contract'
import { type Kysely, sql } from 'kysely'
import { keptFor } from '#platform/database/retention.ts'
import type { Database } from '#platform/database/schema.ts'

/** Tasks per statement; each has a log of up to a thousand lines. */
const batch = 1000

/**
 * Deletes tasks that were archived long ago, and tasks of deleted projects. Their archiving is in the audit log and has
 * already released their results.
 */
export async function sweepTasks(db: Kysely<Database>): Promise<void> {
  await deleteAll(
    db,
    sql`select id from task where archived_at < now() - ${keptFor('tasks')} order by archived_at`,
  )
  for (const projectId of await goneProjects(db)) {
    await deleteAll(db, sql`select id from task where project_id = ${projectId}::uuid`)
  }
}

/** Deletes the logs of the oldest ended tasks of projects with more lines: a service may create tasks in a loop. */
export async function sweepTaskLogs(
  db: Kysely<Database>,
  most: number = limits.projectLogLines,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select t.id, sum(l.lines) over (partition by t.project_id order by t.fulfilled_at desc, t.id desc) as total
      from task t join (select task_id, count(*) as lines from task_log group by task_id) l on l.task_id = t.id
      where t.fulfilled_at is not null
    ) ended where total > ${most}::int`.execute(db)
  for (let from = 0; from < rows.length; from += batch) {
    const ids = rows.slice(from, from + batch).map(({ id }) => id)
    await sql`delete from task_log where task_id = any(${ids}::uuid[])`.execute(db)
  }
}

async function deleteAll(db: Kysely<Database>, some: ReturnType<typeof sql>): Promise<void> {
  let deleted: bigint
  do {
    const { numAffectedRows = 0n } = await sql`
      delete from task where id = any(array(${some} limit ${batch}::int))`.execute(db)
    deleted = numAffectedRows
  } while (deleted >= batch)
}

/** Returns deleted projects that still have tasks, with one index lookup per project. */
async function goneProjects(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive each as (
      (select project_id as id from task order by project_id limit 1)
      union all
      select (select project_id from task where project_id > each.id order by project_id limit 1)
      from each where each.id is not null
    )
    select id from each where id is not null and not exists (select from project where project.id = each.id)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
