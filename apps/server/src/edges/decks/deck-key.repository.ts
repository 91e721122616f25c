import { type EdgeDeckKey, type EdgeDeckSettings, edgeDeckKeys } from '@pult/contract'
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

interface DeckOfEdge {
  edgeId: string
  serial: string
}

/** A key with its project and the account for which it acts. */
export interface FoundKey {
  projectId: string
  accountId: string | null
  isLocked: boolean
  /** Undefined if the deck no longer has this key. */
  key: EdgeDeckKey | undefined
}

export function createDeckKeyRepository(db: Db) {
  return {
    async read({ edgeId, serial }: DeckOfEdge): Promise<Omit<EdgeDeckSettings, 'revision'>> {
      const { rows } = await sql<{
        accountId: string | null
        name: string | null
        isLocked: boolean
        pages: { page: number; keys: unknown }[] | null
      }>`
        select p.id as "accountId", concat_ws(' ', p.firstname, p.lastname) as name, d.is_locked as "isLocked",
          (select json_agg(json_build_object('page', g.page, 'keys', g.keys) order by g.page)
            from edge_deck_page g where g.edge_id = d.edge_id and g.serial = d.serial) as pages
        from edge_deck d left join person p on p.id = d.account_id
        where d.edge_id = ${edgeId} and d.serial = ${serial}`.execute(db)
      const { accountId = null, name = null, isLocked = false, pages = null } = rows[0] ?? {}
      return {
        account: accountId === null ? null : { _id: accountId, name: name ?? '' },
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
        select e.project_id as "projectId", d.account_id as "accountId", d.is_locked as "isLocked", g.keys
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

    /** Updates only the given fields. */
    async update(
      { edgeId, serial }: DeckOfEdge,
      { account, isLocked }: { account?: string | null | undefined; isLocked?: boolean | undefined },
    ): Promise<void> {
      await db
        .updateTable('edge_deck')
        .set({
          ...(account !== undefined && { account_id: account }),
          ...(isLocked !== undefined && { is_locked: isLocked }),
        })
        .where('edge_id', '=', edgeId)
        .where('serial', '=', serial)
        .execute()
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
