import { type EdgeDeckKey, type EdgeDeckSettings, edgeDeckKeys, type OwnEdgeDeck } from '@pult/contract'
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { orderOf } from '#platform/database/name-order.ts'

interface DeckOfEdge {
  edgeId: string
  serial: string
}

/** A key with its project and the account for which it acts. */
export interface FoundKey {
  projectId: string
  edgeLabel: string
  accountId: string | null
  /** Whether the person of the account has agreed. */
  isAgreed: boolean
  isLocked: boolean
  /** Undefined if the deck no longer has this key. */
  key: EdgeDeckKey | undefined
}

const isMember = sql<boolean>`(exists (select from project where id = e.project_id and owner_id = d.account_id)
  or exists (select from project_grant where project_id = e.project_id and person_id = d.account_id))`

/**
 * Since when the account of a deck `d` at an edge `e` agrees; null while it does not. An agreement ends with the
 * membership, and when root changes the account, such as by disabling it: it does not come back with them.
 */
const agreedAt = sql<Date | null>`case when
  exists (select from person where id = d.account_id and disabled_at is null and updated_at <= d.agreed_at)
  and (exists (select from project where id = e.project_id and owner_id = d.account_id)
    or exists (select from project_grant where project_id = e.project_id and person_id = d.account_id
      and created_at <= d.agreed_at)) then d.agreed_at end`

export function createDeckKeyRepository(db: Db) {
  return {
    async read({ edgeId, serial }: DeckOfEdge): Promise<Omit<EdgeDeckSettings, 'revision'>> {
      const { rows } = await sql<{
        accountId: string | null
        name: string | null
        agreedAt: Date | null
        isLocked: boolean
        pages: { page: number; keys: unknown }[] | null
      }>`
        select p.id as "accountId", concat_ws(' ', p.firstname, p.lastname) as name, ${agreedAt} as "agreedAt",
          d.is_locked as "isLocked",
          (select json_agg(json_build_object('page', g.page, 'keys', g.keys) order by g.page)
            from edge_deck_page g where g.edge_id = d.edge_id and g.serial = d.serial) as pages
        from edge_deck d join edge e on e.id = d.edge_id left join person p on p.id = d.account_id
        where d.edge_id = ${edgeId} and d.serial = ${serial}`.execute(db)
      const { accountId = null, name = null, agreedAt: since, isLocked = false, pages = null } = rows[0] ?? {}
      return {
        account: accountId === null ? null : { _id: accountId, name: name ?? '' },
        agreedAt: since?.toISOString() ?? null,
        isLocked,
        pages: (pages ?? []).map(({ page, keys }) => ({ page, keys: edgeDeckKeys.parse(keys) })),
      }
    },

    /** Finds a key. Undefined if the deck has no settings. */
    async findKey(
      { edgeId, serial }: DeckOfEdge,
      { page, key: index }: { page: number; key: number },
    ): Promise<FoundKey | undefined> {
      const { rows } = await sql<Omit<FoundKey, 'key'> & { keys: unknown }>`
        select e.project_id as "projectId", e.label as "edgeLabel", d.account_id as "accountId",
          (${agreedAt}) is not null as "isAgreed", d.is_locked as "isLocked", g.keys
        from edge e join edge_deck d on d.edge_id = e.id
        left join edge_deck_page g on g.edge_id = d.edge_id and g.serial = d.serial and g.page = ${page}::int
        where e.id = ${edgeId} and d.serial = ${serial}`.execute(db)
      const [row] = rows
      if (row === undefined) return undefined
      const { keys, ...found } = row
      return { ...found, key: edgeDeckKeys.parse(keys ?? []).find(({ key }) => key === index) }
    },

    /** Returns the keys and labels of all pages. A page that this release cannot read has no keys. */
    async pagesOf({
      edgeId,
      serial,
    }: DeckOfEdge): Promise<{ page: number; keys: EdgeDeckKey[]; face: Buffer | null }[]> {
      const rows = await db
        .selectFrom('edge_deck_page')
        .select(['page', 'keys', 'face'])
        .where('edge_id', '=', edgeId)
        .where('serial', '=', serial)
        .orderBy('page')
        .execute()
      return rows.map(({ keys, ...row }) => ({ ...row, keys: edgeDeckKeys.safeParse(keys).data ?? [] }))
    },

    /** Adds settings for the deck if it has none. */
    async keep({ edgeId, serial }: DeckOfEdge): Promise<void> {
      await db
        .insertInto('edge_deck')
        .values({ edge_id: edgeId, serial, picture: null })
        .onConflict((conflict) => conflict.columns(['edge_id', 'serial']).doNothing())
        .execute()
    },

    /** Updates only the given fields. Another account has not agreed, unless it is that of the caller. */
    async update(
      { edgeId, serial }: DeckOfEdge,
      { account, isLocked }: { account?: string | null | undefined; isLocked?: boolean | undefined },
      callerId: string,
    ): Promise<void> {
      const agreed = sql<Date | null>`case when account_id = ${account ?? null}::uuid then agreed_at end`
      await db
        .updateTable('edge_deck')
        .set({
          ...(account !== undefined && {
            account_id: account,
            agreed_at: account === callerId ? sql<Date>`clock_timestamp()` : agreed,
          }),
          ...(isLocked !== undefined && { is_locked: isLocked }),
        })
        .where('edge_id', '=', edgeId)
        .where('serial', '=', serial)
        .execute()
    },

    /** Returns the decks that are assigned to a member of their project. */
    async assignedTo(personId: string): Promise<OwnEdgeDeck[]> {
      const { rows } = await sql<{
        projectId: string
        project: string
        edgeId: string
        edge: string
        serial: string
        agreedAt: Date | null
      }>`
        select p.id as "projectId", p.label as project, e.id as "edgeId", e.label as edge, d.serial,
          ${agreedAt} as "agreedAt"
        from edge_deck d join edge e on e.id = d.edge_id join project p on p.id = e.project_id
        where d.account_id = ${personId}::uuid and ${isMember}
        order by ${orderOf(sql`p.label`)}, ${orderOf(sql`e.label`)}, d.serial collate "C", e.id`.execute(db)
      return rows.map(({ projectId, project, edgeId, edge, serial, agreedAt: since }) => ({
        project: { _id: projectId, label: project },
        edge: { _id: edgeId, label: edge },
        serial,
        agreedAt: since?.toISOString() ?? null,
      }))
    },

    /** Agrees, or withdraws, for a deck that is assigned to a member of its project. Returns whether it is. */
    async setAgreed({ edgeId, serial }: DeckOfEdge, personId: string, isAgreed: boolean): Promise<boolean> {
      const set = isAgreed ? sql`agreed_at = clock_timestamp()` : sql`account_id = null, agreed_at = null`
      const { rows } = await sql`
        update edge_deck d set ${set} from edge e
        where e.id = d.edge_id and d.edge_id = ${edgeId}::uuid and d.serial = ${serial}
          and d.account_id = ${personId}::uuid and ${isMember}
        returning d.serial`.execute(db)
      return rows.length > 0
    },

    async setPage(
      { edgeId, serial }: DeckOfEdge,
      { page, keys, face }: { page: number; keys: readonly EdgeDeckKey[]; face: Buffer | null },
    ): Promise<void> {
      const set = { keys: JSON.stringify(keys), face }
      await db
        .insertInto('edge_deck_page')
        .values({ edge_id: edgeId, serial, page, ...set })
        .onConflict((conflict) => conflict.columns(['edge_id', 'serial', 'page']).doUpdateSet(set))
        .execute()
    },

    async removePage({ edgeId, serial }: DeckOfEdge, page: number): Promise<void> {
      await db
        .deleteFrom('edge_deck_page')
        .where('edge_id', '=', edgeId)
        .where('serial', '=', serial)
        .where('page', '=', page)
        .execute()
    },

    /** Returns the roles of a person in a project, limited to the products that the project uses. */
    async productRolesOf(projectId: string, personId: string): Promise<string[]> {
      const { rows } = await sql<{ productRole: string }>`
        select g.product_role as "productRole" from project_grant g join project p on p.id = g.project_id
        where p.id = ${projectId} and g.person_id = ${personId}
          and split_part(g.product_role, '/', 1) = any(p.products)`.execute(db)
      return rows.map(({ productRole }) => productRole)
    },

    /** Returns whether a person owns the project or has a role in it. The root flag does not count. */
    async isMember(projectId: string, personId: string): Promise<boolean> {
      const { rows } = await sql`
        select 1 from project where id = ${projectId} and owner_id = ${personId}::uuid
        union all select 1 from project_grant where project_id = ${projectId} and person_id = ${personId}::uuid
        limit 1`.execute(db)
      return rows.length > 0
    },
  }
}
