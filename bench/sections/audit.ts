import { apiBase, auditEndpoints } from '@pult/contract'
import { sql } from 'kysely'
import type { BenchOptions } from '../arguments.ts'
import { createClient } from '../calls.ts'
import { addCrowd, type CrowdMember, withDatabase } from '../crowd.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

type Db = Parameters<typeof addCrowd>[0]

const projectCount = 2000
const tries = 7

/** A page of a long audit log: of the whole installation, of the project that has a tenth of it, and of searches. */
export async function measureAudit(bench: Workbench, { isQuick }: BenchOptions): Promise<Row[]> {
  const { pultUrl, pultToken, connection } = await bench.pair()
  const rows = isQuick ? 100_000 : 1_000_000
  const { projectId, personId } = await withDatabase(connection, async (db) => {
    const crowd = await addCrowd(db, 200)
    const projectIds = await addProjects(db, crowd)
    await addRows(db, { crowd, projectIds, rows })
    return { projectId: projectIds[0] ?? '', personId: crowd[0]?.personId ?? '' }
  })
  const client = createClient(pultUrl, 1)
  const root = apiBase + auditEndpoints.list.path
  const project = apiBase + auditEndpoints.ofProject.path.replace(':projectId', projectId)
  const searches: [string, string, string | undefined][] = [
    ['the first page', root, undefined],
    ['the first page of a project', project, undefined],
    ['event:login, half of all', root, 'event:login'],
    ['event:person.promoted, one in a thousand', root, 'event:person.promoted'],
    ['result:failure, one in twenty', root, 'result:failure'],
    ['actor, of one row', root, 'actor:rosa'],
    ['actor, of most rows', root, 'actor:bench'],
    ['target, one person', root, `target:${personId}`],
    ['address, of one in 200', root, 'address:10.7.'],
    ['a word of half of all', root, 'login'],
    ['a word of one in a thousand', root, 'promoted'],
    ['a word of none', root, 'nowhere'],
    ['a word of none, of a project', project, 'nowhere'],
    ['a word of none, one day', `${root}?from=${dayAgo(2)}&until=${dayAgo(1)}`, 'nowhere'],
  ]
  const measured: Row[] = []
  for (const [name, path, search] of searches) {
    const found: string[] = []
    const times: number[] = []
    const separator = path.includes('?') ? '&' : '?'
    const asked = path + (search === undefined ? '' : `${separator}search=${encodeURIComponent(search)}`)
    for (let count = 0; count < tries; count += 1) {
      const { status, text, milliseconds } = await client.call(asked, { token: pultToken })
      if (status !== 200) throw new Error(`${name} was answered ${status}: ${text}`)
      const { total, totalIsCapped } = JSON.parse(text) as { total: number; totalIsCapped?: boolean }
      found.push(totalIsCapped === true ? `more than ${total}` : String(total))
      times.push(milliseconds)
    }
    measured.push({
      name: `audit log of ${rows.toLocaleString('en-US')} rows: ${name}`,
      unit: 'ms',
      ours: times,
      note: `total ${found.at(-1)}`,
    })
  }
  client.close()
  return measured
}

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

async function addProjects(db: Db, crowd: readonly CrowdMember[]): Promise<string[]> {
  const ids = crowd.map(({ personId }) => personId)
  const { rows } = await sql<{ id: string }>`
    insert into project (id, label, owner_id)
    select uuidv7(), 'Projekt ' || n, (${ids}::uuid[])[1 + n % ${ids.length}::int]
    from generate_series(1, ${projectCount}::int) n returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** One every 30 seconds up to now: half are logins, a tenth concern the first project, and the rest all others. */
async function addRows(
  db: Db,
  { crowd, projectIds, rows }: { crowd: readonly CrowdMember[]; projectIds: readonly string[]; rows: number },
): Promise<void> {
  const people = crowd.map(({ personId }) => personId)
  await sql`
    insert into audit (id, at, event, result, actor_id, target, project_id, address, detail)
    select uuidv7(-ago), now() - ago,
      case when n % 1000 = 0 then 'person.promoted' when n % 2 = 0 then 'login.password'
        when n % 3 = 0 then 'project.changed' else 'note.changed' end,
      case when n % 20 = 0 then 'failure' else 'success' end,
      case when n % 40 > 0 then person.id end,
      case when n % 2 = 0 then person.id else project.id end::text,
      case when n % 2 > 0 then project.id end,
      '10.' || n % 200 || '.' || n % 7 || '.' || n % 13, '{"fields": ["firstname"]}'
    from (
      select n, make_interval(secs => (${rows}::int - n) * 30) as ago, 1 + n::bigint * 7919 % ${people.length}::int as p,
        case when n % 5 = 0 then 1 else 1 + n::bigint * 104729 % ${projectIds.length}::int end as q
      from generate_series(1, ${rows}::int) n
    ) numbered
      join unnest(${people}::uuid[]) with ordinality as person (id, place) on person.place = p
      join unnest(${projectIds}::uuid[]) with ordinality as project (id, place) on project.place = q
    order by n`.execute(db)
  await sql`vacuum (analyze) audit`.execute(db)
  await sql`analyze project`.execute(db)
}
