import { type Edge, type EdgeReport, type EdgeState, type EdgeWithInstances, limits } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { AppError } from '#platform/app-error.ts'
import { type Db, violatedConstraint } from '#platform/database/database.ts'
import {
  countedAtMost,
  idAfter,
  type Page,
  type PageQuery,
  pageOf,
  pageSizeOf,
  searchCondition,
} from '#platform/database/page.ts'

/** What an update writes; a field that is left out stays as it is. */
export interface EdgeChanges {
  label?: string
  alertAfter?: number | null
}

/** Of an edge `e` and its presence `p`. */
const state = sql<EdgeState>`case
  when e.token_hash is null then case when e.code_hash is null then 'revoked' else 'enrolling' end
  when p.is_online then 'online' else 'offline' end`

const searchable = {
  text: [sql<string>`e.label`, sql<string>`coalesce(p.report ->> 'hostname', '')`],
  keys: {
    label: { text: sql<string>`e.label` },
    state: { text: sql<string>`(${state})` },
    version: { text: sql<string>`coalesce(p.version, '')` },
  },
}

const lifetime = sql`make_interval(secs => ${limits.edgeCode / 1000}::int)`

export function createEdgeRepository(db: Db) {
  const from = sql`from edge e left join edge_presence p on p.edge_id = e.id`

  const selected = sql`
    select e.id, e.project_id as "projectId", e.label, ${state} as state, p.version, p.seen_at as "seenAt",
      case when e.token_hash is not null and not p.is_online then p.offline_since end as "offlineSince", p.report,
      e.alert_after as "alertAfter", case when e.code_hash is not null and e.code_expires_at > now() then e.code_expires_at end as "codeExpiresAt",
      e.created_at as "createdAt", e.enrolled_at as "enrolledAt", e.revision, e.updated_at as "updatedAt",
      changer.id as "changerId", changer.firstname, changer.lastname,
      (select json_agg(json_build_object('id', i.id, 'label', i.label, 'key', i.key, 'isReported', i.is_reported,
          'projectId', coalesce(i.project_id, e.project_id),
          'projectLabel', (select label from project where id = coalesce(i.project_id, e.project_id)))
          order by lower(i.label), i.id)
        from edge_instance i where i.edge_id = e.id) as instances,
      (select json_agg(json_build_object('serial', d.serial, 'brightness', d.brightness, 'hasPicture', d.picture is not null)
          order by d.serial)
        from edge_deck d where d.edge_id = e.id) as decks
    ${from} left join person changer on changer.id = e.updated_by`

  async function changed(
    projectId: string,
    edgeId: string,
    personId: string | null,
    set: RawBuilder<unknown>,
  ) {
    const { rows } = await sql<{ revision: number }>`
      update edge set ${set}, revision = revision + 1, updated_at = clock_timestamp(), updated_by = ${personId}
      where id = ${edgeId} and project_id = ${projectId} returning revision`.execute(db)
    return rows[0]?.revision
  }

  return {
    async list(projectId: string, query: PageQuery): Promise<Page<Edge>> {
      const size = pageSizeOf(query)
      const found = sql`e.project_id = ${projectId} and ${searchCondition(query.search, searchable)}`
      const [{ rows }, counted] = await Promise.all([
        sql<EdgeRow>`
          ${selected} where ${found} and ${isAfter(query)} order by lower(e.label), e.id limit ${size + 1}::int`.execute(
          db,
        ),
        sql<{ count: number }>`
          select count(*) from (select 1 ${from} where ${found} limit ${countedAtMost}) counted`.execute(db),
      ])
      const count = counted.rows[0]?.count ?? 0
      return pageOf(rows, { size, count, keyOf: ({ id, label }) => id + label.toLowerCase(), itemOf: edgeOf })
    },

    async find(projectId: string, edgeId: string): Promise<Edge | undefined> {
      const { rows } = await sql<EdgeRow>`
        ${selected} where e.id = ${edgeId} and e.project_id = ${projectId}`.execute(db)
      return rows[0] && edgeOf(rows[0])
    },

    /** Nobody else changes it until the transaction ends. */
    async lock(projectId: string, edgeId: string): Promise<void> {
      await sql`select from edge where id = ${edgeId} and project_id = ${projectId} for update`.execute(db)
    },

    /** Answers nothing when the project has as many as it may have. Its row is held, so that the count stands. */
    async add(
      projectId: string,
      label: string,
      codeHash: Buffer,
      personId: string,
    ): Promise<string | undefined> {
      await sql`select from project where id = ${projectId} for no key update`.execute(db)
      const { rows } = await sql<{ id: string }>`
        insert into edge (id, project_id, label, code_hash, code_expires_at, updated_by)
        select ${uuidv7()}::uuid, id, ${label}, ${codeHash}, now() + ${lifetime}, ${personId}::uuid
        from project where id = ${projectId}
          and (select count(*) from edge where project_id = ${projectId}) < ${limits.edgesMax}
        returning id`.execute(db)
      return rows[0]?.id
    },

    update: (projectId: string, edgeId: string, { label, alertAfter }: EdgeChanges, personId: string) =>
      changed(
        projectId,
        edgeId,
        personId,
        sql.join([
          ...(label === undefined ? [] : [sql`label = ${label}`]),
          ...(alertAfter === undefined ? [] : [sql`alert_after = ${alertAfter}`]),
        ]),
      ),

    setCode: (projectId: string, edgeId: string, codeHash: Buffer, personId: string) =>
      changed(
        projectId,
        edgeId,
        personId,
        sql`code_hash = ${codeHash}, code_expires_at = now() + ${lifetime}`,
      ),

    /** In one statement, so that of many at once one alone gets a token. */
    async redeem(
      codeHash: Buffer,
      tokenHash: Buffer,
    ): Promise<{ id: string; projectId: string; label: string; revision: number } | undefined> {
      const { rows } = await sql<{ id: string; projectId: string; label: string; revision: number }>`
        update edge set code_hash = null, code_expires_at = null, token_hash = ${tokenHash}, enrolled_at = now(),
          revoked_at = null, revision = revision + 1, updated_at = clock_timestamp(), updated_by = null
        where code_hash = ${codeHash} and code_expires_at > now()
        returning id, project_id as "projectId", label, revision`.execute(db)
      return rows[0]
    },

    async revoke(projectId: string, edgeId: string, personId: string) {
      await sql`update edge_presence set is_online = false, alerted_at = null where edge_id = ${edgeId}`.execute(
        db,
      )
      return changed(
        projectId,
        edgeId,
        personId,
        sql`token_hash = null, code_hash = null, code_expires_at = null, revoked_at = now()`,
      )
    },

    async remove(projectId: string, edgeId: string): Promise<void> {
      await db.deleteFrom('edge').where('id', '=', edgeId).where('project_id', '=', projectId).execute()
    },

    /** The edge's row is locked. Answers whether there was room. */
    async addInstance(edgeId: string, label: string): Promise<boolean> {
      const { rows } = await sql`
        insert into edge_instance (id, edge_id, label, is_reported)
        select ${uuidv7()}::uuid, ${edgeId}::uuid, ${label}, false
        where (select count(*) from edge_instance where edge_id = ${edgeId}) < ${limits.edgeInstancesMax}
        returning id`.execute(db)
      return rows.length > 0
    },

    /** Changes at least one of them. @throws {AppError} NOT_FOUND for a project that is being deleted. */
    async updateInstance(
      edgeId: string,
      instanceId: string,
      { label, project }: { label?: string | undefined; project?: string | null | undefined },
    ): Promise<void> {
      await db
        .updateTable('edge_instance')
        .set({
          ...(label !== undefined && { label }),
          ...(project !== undefined && { project_id: project }),
        })
        .where('id', '=', instanceId)
        .where('edge_id', '=', edgeId)
        .execute()
        .catch(refuseGoneProject)
    },

    async removeInstance(edgeId: string, instanceId: string): Promise<void> {
      await db
        .deleteFrom('edge_instance')
        .where('id', '=', instanceId)
        .where('edge_id', '=', edgeId)
        .execute()
    },

    touch: (projectId: string, edgeId: string, personId: string) =>
      changed(projectId, edgeId, personId, sql`label = label`),

    /** What is assigned to a project, of whatever project the edges are. */
    async assignedTo(projectId: string): Promise<EdgeWithInstances[]> {
      const { rows } = await sql<EdgeWithInstances>`
        select e.id as "_id", e.label, ${state} as state,
          json_agg(json_build_object('_id', i.id, 'label', i.label) order by lower(i.label), i.id) as instances
        ${from} join edge_instance i on i.edge_id = e.id
        where i.project_id = ${projectId} or (i.project_id is null and e.project_id = ${projectId})
        group by e.id, p.edge_id order by lower(e.label), e.id`.execute(db)
      return rows
    },

    /** Changes what is given. */
    async setDeck(
      edgeId: string,
      serial: string,
      { brightness, picture }: { brightness?: number | undefined; picture?: Buffer | null | undefined },
    ): Promise<void> {
      const given = {
        ...(brightness !== undefined && { brightness }),
        ...(picture !== undefined && { picture }),
      }
      await db
        .insertInto('edge_deck')
        .values({ edge_id: edgeId, serial, picture: null, ...given })
        .onConflict((conflict) => {
          const known = conflict.columns(['edge_id', 'serial'])
          return Object.keys(given).length === 0 ? known.doNothing() : known.doUpdateSet(given)
        })
        .execute()
    },
  }
}
export type EdgeRepository = ReturnType<typeof createEdgeRepository>

function refuseGoneProject(error: unknown): never {
  throw violatedConstraint(error) === 'edge_instance_project_id_fkey' ? new AppError('NOT_FOUND') : error
}

/** A page's key is the id of the last edge of the one before, and its label, by which they are in order. */
function isAfter({ after }: PageQuery): RawBuilder<boolean> {
  const id = after === undefined ? undefined : idAfter({ after: after.slice(0, 36) })
  return id === undefined
    ? sql<boolean>`true`
    : sql<boolean>`(lower(e.label), e.id) > (${after?.slice(36) ?? ''}, ${id}::uuid)`
}

interface EdgeRow {
  id: string
  projectId: string
  label: string
  state: EdgeState
  version: string | null
  seenAt: Date | null
  offlineSince: Date | null
  report: EdgeReport | null
  alertAfter: number | null
  codeExpiresAt: Date | null
  createdAt: Date
  enrolledAt: Date | null
  revision: number
  updatedAt: Date
  changerId: string | null
  firstname: string | null
  lastname: string | null
  instances:
    | {
        id: string
        label: string
        key: string | null
        isReported: boolean
        projectId: string
        projectLabel: string
      }[]
    | null
  decks: { serial: string; brightness: number; hasPicture: boolean }[] | null
}

const iso = (instant: Date | null) => instant?.toISOString() ?? null

function edgeOf(row: EdgeRow): Edge {
  const { instances: reported = [], ...report } = row.report ?? {}
  const isOnline = row.state === 'online'
  return {
    _id: row.id,
    label: row.label,
    state: row.state,
    version: row.version,
    lastSeenAt: iso(row.seenAt),
    offlineSince: iso(row.offlineSince),
    report: row.report === null ? null : (report as Edge['report']),
    instances: (row.instances ?? []).map(({ id, label, key, isReported, projectId, projectLabel }) => {
      const known = reported.find((instance) => instance.key === key)
      return {
        _id: id,
        label,
        key,
        isReported,
        // What an agent that is away last said of it is not how it is now.
        state: (isOnline ? known?.state : undefined) ?? 'unknown',
        canRestart: isReported && known?.canRestart === true,
        project: { _id: projectId, label: projectLabel },
      }
    }),
    alertAfter: row.alertAfter,
    codeExpiresAt: iso(row.codeExpiresAt),
    decks: row.decks ?? [],
    createdAt: row.createdAt.toISOString(),
    enrolledAt: iso(row.enrolledAt),
    revision: row.revision,
    updatedAt: row.updatedAt.toISOString(),
    updatedBy:
      row.changerId === null
        ? null
        : { _id: row.changerId, firstname: row.firstname ?? '', lastname: row.lastname ?? '' },
  }
}
