import type { ActivityEntry } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/** An entry with the project that it belongs to. */
export type ActivityOfProject = ActivityEntry & { project: { _id: string; label: string } }

/** Milliseconds within which the entries of one person are folded into one. */
const foldedWithin = 600_000

/** Limits of the rows that are scanned for entries that the caller may see, and of the rows that are folded. */
const scannedMost = 500
const foldedMost = 100

/** Number of newest rows that are read of each of several projects. */
const perProject = 40

interface ActivityRow {
  id: string
  at: Date
  event: string
  actorId: string | null
  actorName: string | null
  target: string | null
  label: string | null
  projectId: string
  projectLabel: string
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The command of a row `a`: its name, or the object that a job records. */
const commandName = sql<string | null>`case jsonb_typeof(a.detail -> 'command')
  when 'object' then coalesce(a.detail #>> '{command,key}', a.detail #>> '{command,name}')
  else a.detail ->> 'command' end`

/** The newest rows of the project with this id. An index answers this for a log of any size. */
const newest = (projectId: RawBuilder<unknown>, most: number) => sql`
  select * from audit where project_id = ${projectId} and result = 'success' order by at desc, id desc limit ${most}::int`

/**
 * The activity in projects for the home and the overview: rows of the audit log without addresses and details. `isSeen`
 * is the condition on an entry `a` of a project `p` in an organisation `o` that the caller may see.
 */
export function createProjectActivity(db: Db) {
  const read = async (rows: RawBuilder<unknown>, isSeen: RawBuilder<boolean>, most: number) =>
    (
      await sql<ActivityRow>`
        select a.id, a.at, a.event, a.actor_id as "actorId", actor.firstname || ' ' || actor.lastname as "actorName",
          a.target, coalesce(person.firstname || ' ' || person.lastname, a.detail ->> 'label', a.detail ->> 'title', ${commandName},
            case when a.target = p.id::text then p.label end) as label,
          p.id as "projectId", p.label as "projectLabel"
        from (${rows}) a join project p on p.id = a.project_id left join organisation o on o.id = p.organisation_id
          left join person actor on actor.id = a.actor_id
          left join person on a.event like 'grant.%' and person.id = case when a.event like 'grant.%' then a.target::uuid end
        where ${isSeen} order by a.at desc, a.id desc limit ${most}::int`.execute(db)
    ).rows

  /** The time of the newest entry about a project `p` that the caller may see; null if there is none. */
  const lastOfProject = (isSeen: RawBuilder<boolean>) => sql<Date | null>`(
    select a.at from (${newest(sql`p.id`, perProject)}) a where ${isSeen} order by a.at desc limit 1
  )`

  return {
    lastOfProject,

    async ofProject(projectId: string, isSeen: RawBuilder<boolean>, most: number): Promise<ActivityEntry[]> {
      const rows = await read(newest(sql`${projectId}::uuid`, scannedMost), isSeen, foldedMost)
      return fold(rows)
        .slice(0, most)
        .map(({ project: _project, ...entry }) => entry)
    },

    /** The newest entries of several projects together. */
    async ofProjects(
      projectIds: RawBuilder<unknown>,
      isSeen: RawBuilder<boolean>,
      most: number,
    ): Promise<ActivityOfProject[]> {
      // If the user has many projects, most of the newest rows of the log are about them. One scan of these rows is
      // faster than reading each project.
      const recent = fold(
        await read(
          sql`
            select * from (
              select * from audit where result = 'success' order by at desc, id desc limit ${scannedMost}::int
            ) newest where project_id in (${projectIds})`,
          isSeen,
          foldedMost,
        ),
      )
      if (recent.length >= most) return recent.slice(0, most)
      // The newest entries are those of the projects with the most recent activity.
      const latest = sql`
        select wanted.id from (${projectIds}) wanted
          cross join lateral (${newest(sql`wanted.id`, 1)}) a order by a.at desc limit ${most}::int`
      const rows = await read(
        sql`select a.* from (${latest}) wanted cross join lateral (${newest(sql`wanted.id`, perProject)}) a`,
        isSeen,
        foldedMost,
      )
      return fold(rows).slice(0, most)
    },

    /** The time of the newest entry of each project that the caller may see. */
    async lastOf(
      projectIds: readonly string[],
      isSeen: RawBuilder<boolean>,
    ): Promise<ReadonlyMap<string, Date>> {
      const { rows } = await sql<{ id: string; at: Date | null }>`
        select p.id, ${lastOfProject(isSeen)} as at from project p left join organisation o on o.id = p.organisation_id
        where p.id = any(${projectIds}::uuid[])`.execute(db)
      return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at] as const])))
    },
  }
}
export type ProjectActivity = ReturnType<typeof createProjectActivity>

/** Events that count each person once: a person can get or lose several roles in one step. */
const countedByPerson = new Set(['grant.added', 'grant.removed'])

/**
 * Folds rows, newest first: a row joins an entry of the same person, project and event that is at most 10 min newer.
 */
function fold(rows: readonly ActivityRow[]): ActivityOfProject[] {
  const entries: ActivityOfProject[] = []
  const open = new Map<string, { entry: ActivityOfProject; at: number; targets: Set<string | null> }>()
  for (const row of rows) {
    const key = `${row.actorId}/${row.projectId}/${row.event}`
    const known = open.get(key)
    if (known !== undefined && known.at - row.at.getTime() <= foldedWithin) {
      if (!countedByPerson.has(row.event) || !known.targets.has(row.target)) known.entry.count += 1
      known.targets.add(row.target)
      continue
    }
    const entry = entryOf(row)
    entries.push(entry)
    open.set(key, { entry, at: row.at.getTime(), targets: new Set([row.target]) })
  }
  return entries
}

const entryOf = (row: ActivityRow): ActivityOfProject => ({
  _id: row.id,
  at: row.at.toISOString(),
  event: row.event,
  actor: row.actorId === null ? null : { _id: row.actorId, name: row.actorName ?? '' },
  target: row.target === null ? null : targetOf(row.target, row.label),
  count: 1,
  project: { _id: row.projectId, label: row.projectLabel },
})

const targetOf = (target: string, label: string | null) =>
  uuid.test(target) ? { _id: target, label } : { _id: null, label: label ?? target }
