import {
  type Edge,
  type EdgeInstance,
  type EdgeMachine,
  type EdgeReport,
  type EdgeState,
  type EdgeWithInstances,
  type FleetCounts,
  limits,
  repairEdgeReport,
  withoutHidden,
} from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { AppError } from '#platform/app-error.ts'
import { hasCome } from '#platform/database/clock.ts'
import { type Db, violatedConstraint } from '#platform/database/database.ts'
import { orderOf } from '#platform/database/name-order.ts'
import { type Page, pageOf, pageSizeOf, searchCondition } from '#platform/database/page.ts'
import { type EdgeListQuery, edgeOrder, keyOfEdge } from './edge-order.ts'
import { fleetCounted, fleetState, isSilent } from './fleet.ts'
import { isInGroup } from './groups/membership.ts'
import { lockProject } from './lock-project.ts'

/** The fields that an update writes. An omitted field remains unchanged. */
export interface EdgeChanges {
  label?: string
  tags?: readonly string[]
  place?: string | null
  alertAfter?: number | null
}

/** The state of an edge `e` with its presence `p`. */
const state = sql<EdgeState>`case
  when e.token_hash is null and e.code_hash is null then 'revoked'
  when e.token_hash is null or p.edge_id is null then 'enrolling'
  when p.is_online then 'online' else 'offline' end`

const searchable = {
  text: [
    sql<string>`e.label`,
    sql<string>`coalesce(p.report ->> 'hostname', '')`,
    sql<string>`coalesce(e.place, '')`,
  ],
  keys: {
    label: { text: sql<string>`e.label` },
    // An edge in trouble is online as well, a silent one is offline as well.
    state: {
      texts: sql<
        string[]
      >`array[${state}, case when p.is_online and p.troubles is not null then 'trouble' end,
        case when ${isSilent} then 'silent' end]`,
    },
    version: { text: sql<string>`coalesce(p.version, '')` },
    tag: { texts: sql<string[]>`e.tags` },
    place: { text: sql<string>`coalesce(e.place, '')` },
  },
}

/** A value of a filter as earlier releases may have stored it, and as it is stored now. */
const formsOf = (value: string) => [...new Set([value.trim(), withoutHidden(value).trim()])]

const tagsOf = (text = '') => text.split(',').flatMap((tag) => (tag.trim() === '' ? [] : [formsOf(tag)]))

/** The filters of a list, except `state`: the counts of the states ignore it. */
function filterCondition({ tags, anyTags, place, version, group }: EdgeListQuery): RawBuilder<boolean> {
  const [all, any] = [tagsOf(tags), tagsOf(anyTags)]
  const conditions = [
    ...all.map((forms) => sql`e.tags && ${forms}::text[]`),
    ...(any.length === 0 ? [] : [sql`e.tags && ${any.flat()}::text[]`]),
    ...(place === undefined ? [] : [sql`e.place = any(${formsOf(place)}::text[])`]),
    ...(group === undefined ? [] : [isInGroup(group)]),
    ...(version === undefined ? [] : [sql`p.version = ${version}`]),
  ]
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`
}

const lifetime = sql`make_interval(secs => ${limits.edgeCode / 1000}::int)`
const isCodeOpen = (expiry: RawBuilder<unknown>) => sql`not ${hasCome(expiry, lifetime)}`

export function createEdgeRepository(db: Db) {
  const from = sql`from edge e left join edge_presence p on p.edge_id = e.id`

  const selected = (more: RawBuilder<unknown> = sql``, page: RawBuilder<unknown> = sql``) => sql`
    select e.id, e.project_id as "projectId", e.label, e.tags, e.place, ${state} as state,
      p.is_online and e.token_hash is not null and p.troubles is not null as "isInTrouble", p.version, p.seen_at as "seenAt",
      case when e.token_hash is not null and not p.is_online then p.offline_since end as "offlineSince", p.report,
      ${isSilent} as "isSilent", p.silence,
      e.alert_after as "alertAfter", case when e.code_hash is not null and ${isCodeOpen(sql`e.code_expires_at`)} then e.code_expires_at end as "codeExpiresAt",
      e.created_at as "createdAt", e.enrolled_at as "enrolledAt", e.revision, e.updated_at as "updatedAt",
      changer.id as "changerId", changer.firstname, changer.lastname,
      (select json_agg(json_build_object('id', i.id, 'label', i.label, 'key', i.key, 'isReported', i.is_reported,
          'projectId', coalesce(i.project_id, e.project_id),
          'projectLabel', (select label from project where id = coalesce(i.project_id, e.project_id)))
          order by ${orderOf(sql`i.label`)}, i.id)
        from edge_instance i where i.edge_id = e.id) as instances,
      (select json_agg(json_build_object('serial', d.serial, 'brightness', d.brightness, 'hasPicture', d.picture is not null)
          order by d.serial collate "C")
        from edge_deck d where d.edge_id = e.id) as decks ${more}
    ${from} left join person changer on changer.id = e.updated_by ${page}`

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

  /** Deletes the requests of copies, which presented a token that is no longer valid. */
  const deleteCopies = (edgeId: string) =>
    db.deleteFrom('edge_request').where('edge_id', '=', edgeId).execute()

  return {
    async list(projectId: string, query: EdgeListQuery): Promise<Page<Edge> & { counts: FleetCounts }> {
      const size = pageSizeOf(query)
      const found = sql`e.project_id = ${projectId} and ${filterCondition(query)} and ${searchCondition(query.search, searchable)}`
      const { value, label, orderBy, isAfter } = edgeOrder(query)
      const isAsked =
        query.state === undefined
          ? sql`true`
          : query.state === 'silent'
            ? sql`is_silent`
            : sql`state = ${query.state}`
      // Reads the fleet once, for its counts and its order. Reads the long rows only for the page.
      const { rows } = await sql<FleetCounts & { value: string | number; lowerLabel: string } & EdgeRow>`
        with found as materialized (
          select e.id, ${fleetState} as state, ${isSilent} as is_silent, ${value} as value, ${label} as lower_label ${from} where ${found}
        ), page as materialized (
          select * from found where ${isAsked} and ${isAfter} order by ${orderBy} limit ${size + 1}::int
        )
        select * from (select ${fleetCounted} from found) counts left join (
          ${selected(sql`, page.value, page.lower_label, page.lower_label as "lowerLabel"`, sql`join page on page.id = e.id`)}
        ) listed on true order by ${orderBy}`.execute(db)
      // Without a listed edge, one row has only the counts.
      const { total, online, trouble, offline, waiting, revoked, silent } = rows[0] as (typeof rows)[number]
      const counts = { total, online, trouble, offline, waiting, revoked, silent }
      const page = pageOf(rows[0]?.id === null ? [] : rows, {
        size,
        count: counts[query.state ?? 'total'],
        keyOf: keyOfEdge,
        itemOf: edgeOf,
      })
      return { ...page, counts }
    },

    async find(projectId: string, edgeId: string): Promise<Edge | undefined> {
      const { rows } = await sql<EdgeRow>`
        ${selected()} where e.id = ${edgeId} and e.project_id = ${projectId}`.execute(db)
      return rows[0] && edgeOf(rows[0])
    },

    /** Locks the edge until the transaction ends. */
    async lock(projectId: string, edgeId: string): Promise<void> {
      await sql`select from edge where id = ${edgeId} and project_id = ${projectId} for update`.execute(db)
    },

    /**
     * Adds an edge. Returns undefined if the project has reached its limit. Locks the project's row, so that the count
     * remains valid.
     */
    async add(
      projectId: string,
      label: string,
      codeHash: Buffer,
      personId: string,
    ): Promise<string | undefined> {
      await lockProject(db, projectId)
      const { rows } = await sql<{ id: string }>`
        insert into edge (id, project_id, label, code_hash, code_expires_at, updated_by)
        select ${uuidv7()}::uuid, id, ${label}, ${codeHash}, now() + ${lifetime}, ${personId}::uuid
        from project where id = ${projectId}
          and (select count(*) from edge where project_id = ${projectId}) < ${limits.edgesMax}
        returning id`.execute(db)
      return rows[0]?.id
    },

    update: (
      projectId: string,
      edgeId: string,
      { label, tags, place, alertAfter }: EdgeChanges,
      personId: string,
    ) =>
      changed(
        projectId,
        edgeId,
        personId,
        sql.join([
          ...(label === undefined ? [] : [sql`label = ${label}`]),
          ...(tags === undefined ? [] : [sql`tags = ${tags}::text[]`]),
          ...(place === undefined ? [] : [sql`place = ${place}`]),
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

    /** Redeems a code in one statement, so that only one of several concurrent calls receives a token. */
    async redeem(
      codeHash: Buffer,
      tokenHash: Buffer,
      machine: EdgeMachine | undefined,
    ): Promise<{ id: string; projectId: string; label: string; revision: number } | undefined> {
      const { rows } = await sql<{ id: string; projectId: string; label: string; revision: number }>`
        update edge set code_hash = null, code_expires_at = null, token_hash = ${tokenHash}, enrolled_at = now(),
          machine = ${machine === undefined ? null : JSON.stringify(machine)}::jsonb, revoked_at = null, revision = revision + 1, updated_at = clock_timestamp(), updated_by = null
        where code_hash = ${codeHash} and ${isCodeOpen(sql`code_expires_at`)}
        returning id, project_id as "projectId", label, revision`.execute(db)
      if (rows[0] !== undefined) await deleteCopies(rows[0].id)
      return rows[0]
    },

    async revoke(projectId: string, edgeId: string, personId: string) {
      await deleteCopies(edgeId)
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

    /**
     * Moves a locked edge. Returns whether the limit of the other project allowed it. Instances that are not assigned
     * to a project, and waiting copies, move with the edge. Nothing that the former project has decided acts in the
     * other one: the decks lose their accounts and keys, and an unused code expires.
     */
    async move(
      { projectId, edgeId }: { projectId: string; edgeId: string },
      target: string,
      personId: string,
    ): Promise<boolean> {
      if (!(await lockProject(db, target))) throw new AppError('NOT_FOUND')
      const { rows } = await sql<{ count: number }>`
        select count(*) from edge where project_id = ${target}`.execute(db)
      if ((rows[0]?.count ?? 0) >= limits.edgesMax) return false
      await changed(
        projectId,
        edgeId,
        personId,
        sql`project_id = ${target}, code_expires_at = case when code_hash is not null then least(code_expires_at, now()) end`,
      )
      await sql`update edge_deck set account_id = null, agreed_at = null where edge_id = ${edgeId}`.execute(
        db,
      )
      await sql`delete from edge_deck_page where edge_id = ${edgeId}`.execute(db)
      await sql`
        update edge_instance set project_id = null where edge_id = ${edgeId} and project_id = ${target}`.execute(
        db,
      )
      await sql`update edge_request set project_id = ${target} where edge_id = ${edgeId}`.execute(db)
      return true
    },

    async remove(projectId: string, edgeId: string): Promise<void> {
      await db.deleteFrom('edge').where('id', '=', edgeId).where('project_id', '=', projectId).execute()
    },

    /** Adds an instance to a locked edge. Returns whether the limit allowed it. */
    async addInstance(edgeId: string, label: string): Promise<boolean> {
      const { rows } = await sql`
        insert into edge_instance (id, edge_id, label, is_reported)
        select ${uuidv7()}::uuid, ${edgeId}::uuid, ${label}, false
        where (select count(*) from edge_instance where edge_id = ${edgeId}) < ${limits.edgeInstancesMax}
        returning id`.execute(db)
      return rows.length > 0
    },

    /** Updates at least one field. @throws {AppError} NOT_FOUND for a project that is being deleted. */
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

    /** Returns the instances assigned to a project, including those on edges of other projects. */
    async assignedTo(projectId: string): Promise<EdgeWithInstances[]> {
      const { rows } = await sql<EdgeWithInstances>`
        select e.id as "_id", e.label, ${state} as state,
          json_agg(json_build_object('_id', i.id, 'label', i.label) order by ${orderOf(sql`i.label`)}, i.id) as instances
        ${from} join edge_instance i on i.edge_id = e.id
        where i.project_id = ${projectId} or (i.project_id is null and e.project_id = ${projectId})
        group by e.id, p.edge_id order by ${orderOf(sql`e.label`)}, e.id`.execute(db)
      return rows
    },

    /** Returns the project of the edge that runs an instance assigned to a project. */
    async projectOfAssigned(
      projectId: string,
      edgeId: string,
      instanceId: string,
    ): Promise<string | undefined> {
      const { rows } = await sql<{ project: string }>`
        select e.project_id as project from edge e join edge_instance i on i.edge_id = e.id
        where e.id = ${edgeId} and i.id = ${instanceId}
          and (i.project_id = ${projectId} or (i.project_id is null and e.project_id = ${projectId}))`.execute(
        db,
      )
      return rows[0]?.project
    },

    /** Updates only the given fields. */
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

interface EdgeRow {
  id: string
  projectId: string
  label: string
  tags: string[]
  place: string | null
  state: EdgeState
  isInTrouble: boolean | null
  version: string | null
  seenAt: Date | null
  offlineSince: Date | null
  isSilent: boolean
  silence: string | null
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

/** Converts the state of a program. The report contains seconds before the time of the report instead of an instant. */
function programOf(
  instance: EdgeReport['instances'][number] | undefined,
  reportedAt: Date | null,
): EdgeInstance['program'] {
  if (instance?.program === undefined) return null
  const { since, ...rest } = instance.program
  const begin = since === null || reportedAt === null ? null : new Date(reportedAt.getTime() - since * 1000)
  return { since: iso(begin), ...rest }
}

const iso = (instant: Date | null) => instant?.toISOString() ?? null

function edgeOf(row: EdgeRow): Edge {
  // A report that another release has stored must not hide the list.
  const stored = repairEdgeReport(row.report)?.report
  const { instances: reported = [], commands: _commands, ...report } = stored ?? {}
  const isOnline = row.state === 'online'
  return {
    _id: row.id,
    label: row.label,
    tags: row.tags,
    place: row.place,
    state: row.state,
    isInTrouble: row.isInTrouble === true,
    version: row.version,
    lastSeenAt: iso(row.seenAt),
    offlineSince: iso(row.offlineSince),
    silence: row.isSilent ? { reason: row.silence } : null,
    report: stored === undefined ? null : (report as Edge['report']),
    instances: (row.instances ?? []).map(({ id, label, key, isReported, projectId, projectLabel }) => {
      const known = reported.find((instance) => instance.key === key)
      return {
        _id: id,
        label,
        key,
        isReported,
        // The last report of an offline edge does not describe its current state.
        state: (isOnline ? known?.state : undefined) ?? 'unknown',
        canRestart: isReported && known?.canRestart === true,
        program: isOnline && isReported ? programOf(known, row.seenAt) : null,
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
