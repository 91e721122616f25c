import { apiBase, projectEndpoints } from '@pult/contract'
import { sql } from 'kysely'
import type { OpenDatabase } from '../../apps/server/src/platform/database/database.ts'
import type { BenchOptions } from '../arguments.ts'
import { createClient } from '../calls.ts'
import { addCrowd, addOrganisation, type CrowdMember, withDatabase } from '../crowd.ts'
import { connections, type LoadResult, loadInTurn, type Target } from '../load.ts'
import { median } from '../measure.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

type Db = OpenDatabase['db']

/** Number of projects that one user sees, and of all projects. */
interface Sizes {
  seen: number
  rows: number
  manyRows: number
}

/**
 * Measures the first page of the list for a user who sees 3,000 projects, while the table grows from 5,000 to 500,000
 * rows.
 */
export async function* measureProjects(bench: Workbench, { isQuick }: BenchOptions): AsyncGenerator<Row> {
  const { pultUrl, pultToken, floorUrl, floorToken, connection } = await bench.pair()
  const sizes: Sizes = isQuick
    ? { seen: 300, rows: 500, manyRows: 5000 }
    : { seen: 3000, rows: 5000, manyRows: 500_000 }
  const rounds = isQuick ? { rounds: 1, seconds: 1 } : { rounds: 5, seconds: 3 }

  const { asker, others } = await withDatabase(connection, async (db) => {
    // Projects of other sections would count as well.
    await sql`delete from project`.execute(db)
    const [first, ...rest] = await addCrowd(db, 200)
    if (first === undefined) throw new Error('No users were added')
    await addSeenProjects(db, first, rest, sizes.seen)
    await addProjects(db, rest, sizes.rows - sizes.seen)
    return { asker: first, others: rest }
  })
  const path = apiBase + projectEndpoints.list.path
  const ofPerson = { url: pultUrl + path, tokens: [asker.token] }
  const ofRoot = { url: pultUrl + path, tokens: [pultToken] }
  const floorList = { url: `${floorUrl}/projects?person=${asker.personId}`, tokens: [floorToken] }
  const seen = await seenOf(ofPerson)
  if (seen !== sizes.seen) throw new Error(`The user sees ${seen} projects instead of ${sizes.seen}`)
  const floorSeen = await seenOf(floorList)
  if (floorSeen !== seen) throw new Error(`The floor lists ${floorSeen} projects instead of ${seen}`)

  const few = await loadInTurn({ ours: ofPerson, floor: floorList, root: ofRoot }, rounds)
  await withDatabase(connection, (db) => addProjects(db, others, sizes.manyRows - sizes.rows))
  const many = await loadInTurn({ ours: ofPerson, root: ofRoot }, rounds)

  const title = `GET /projects, 50 of ${sizes.seen.toLocaleString('en-US')}`
  yield* [
    {
      name: title,
      unit: '/s',
      ours: few.ours.map(({ perSecond }) => perSecond),
      floor: few.floor.map(({ perSecond }) => perSecond),
      bar: { kind: 'share of the floor', share: 0.5 },
      note: `${connections} connections, ${sizes.rows.toLocaleString('en-US')} rows; floor: session join, list and count`,
    },
    {
      name: `${title}, p50`,
      unit: 'ms',
      ours: few.ours.map(({ p50 }) => p50),
      floor: few.floor.map(({ p50 }) => p50),
    },
    {
      name: `${title}, p99`,
      unit: 'ms',
      ours: few.ours.map(({ p99 }) => p99),
      floor: few.floor.map(({ p99 }) => p99),
    },
    growth(title, sizes, few.ours, many.ours),
    growth('GET /projects of root, who sees all', sizes, few.root, many.root),
  ]
}

/** Returns the ratio of the slowest calls with more rows to those with fewer rows. */
function growth(title: string, { rows, manyRows }: Sizes, few: LoadResult[], many: LoadResult[]): Row {
  const [before, after] = [few, many].map((results) => median(results.map(({ p99 }) => p99)))
  const [from, to] = [rows, manyRows].map((count) => count.toLocaleString('en-US'))
  return {
    name: `${title}: p99 with ${to} rows relative to ${from}`,
    unit: '',
    ours: [(after ?? Number.NaN) / (before ?? Number.NaN)],
    bar: { kind: 'below', value: 2 },
    note: `${before?.toFixed(2)} ms, then ${after?.toFixed(2)} ms`,
  }
}

/**
 * Adds the projects that a user sees: two thirds through the organisation, most others as the owner, a few by grants.
 */
async function addSeenProjects(
  db: Db,
  person: CrowdMember,
  others: readonly CrowdMember[],
  count: number,
): Promise<void> {
  const orgId = await addOrganisation(db, [person])
  const ofOrganisation = Math.round((count * 2) / 3)
  const granted = Math.round(count / 30)
  await insertProjects(db, { owners: others, count: ofOrganisation, orgIds: [orgId] })
  await insertProjects(db, { owners: [person], count: count - ofOrganisation - granted, orgIds: [null] })
  await insertProjects(db, { owners: others, count: granted, orgIds: [null], holders: [person] })
}

/** Adds projects of other users: two thirds in organisations, one grant each. */
async function addProjects(db: Db, people: readonly CrowdMember[], count: number): Promise<void> {
  const orgIds: (string | null)[] = [null]
  for (const owner of people.slice(0, 2)) orgIds.push(await addOrganisation(db, [owner]))
  await insertProjects(db, { owners: people, count, orgIds, holders: people.toReversed() })
  await sql`vacuum (analyze) project, project_grant`.execute(db)
}

/** Inserts projects with ids spread over the last two hours, so that one user's projects are mixed with all others. */
async function insertProjects(
  db: Db,
  {
    owners,
    count,
    orgIds,
    holders = [],
  }: {
    owners: readonly CrowdMember[]
    count: number
    orgIds: readonly (string | null)[]
    holders?: readonly CrowdMember[]
  },
): Promise<void> {
  const idsOf = (people: readonly CrowdMember[]) => people.map(({ personId }) => personId)
  await sql`
    with added as (
      insert into project (id, label, organisation_id, owner_id, products, meta, config)
      select uuidv7(make_interval(secs => -7200 * random())), 'Projekt ' || n,
        (${orgIds}::uuid[])[1 + n % ${orgIds.length}::int], (${idsOf(owners)}::uuid[])[1 + n % ${owners.length}::int],
        '{project}', jsonb_build_object('customer', 'Kunde ' || n, 'projectId', 'B-' || n), '{"consoleColor": "#0b6470"}'
      from generate_series(1, ${count}::int) n returning id
    ), numbered as (
      select id, row_number() over () as n from added
    )
    insert into project_grant (id, project_id, person_id, product_role)
    select uuidv7(), id, (${idsOf(holders)}::uuid[])[1 + n % ${holders.length}::int], 'project/viewer'
    from numbered where ${holders.length}::int > 0`.execute(db)
}

async function seenOf({ url, tokens: [token = ''] = [] }: Target): Promise<number> {
  const { origin, pathname, search } = new URL(url)
  const client = createClient(origin, 1)
  const { status, text } = await client.call(pathname + search, { token })
  client.close()
  if (status !== 200) throw new Error(`${url} answered ${status}: ${text}`)
  return (JSON.parse(text) as { total: number }).total
}
