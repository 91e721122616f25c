import { get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type AuditRow, apiBase, auditEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import pg from 'pg'
import { uuidv7 } from 'uuidv7'
import { expect, test, vi } from 'vitest'

const server = await testServer()
const { given, db } = server

const owner = await given.person({ firstname: '=cmd|calc', lastname: 'Hall' })
const root = await given.person({ isRoot: true })

const exportOf = async (projectId: string, query: { format: 'csv' | 'jsonl'; search?: string }) => {
  const answer = await owner.call(auditEndpoints.exportOfProject, { params: { projectId }, query })
  expect(answer).toSucceed()
  return answer
}
const rowsOf = (lines: string) =>
  lines
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AuditRow)

/** Parses a CSV file as defined by RFC 4180. */
function cellsOf(csv: string): string[][] {
  const lines: string[][] = [[]]
  for (const [, quoted, bare, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare ?? '')
    if (end === '\r\n') lines.push([])
  }
  expect(lines.pop()).toEqual([])
  return lines
}

/** 40 MB of rows, more than the buffers of a connection hold; seven rows share each instant. */
const many = 20_000
const { projectId: big } = await given.project(owner)
for (let from = 1; from < many; from += 2000) {
  await sql`
    insert into audit (id, at, event, result, project_id, detail)
    select gen_random_uuid(), timestamptz '2026-01-01T00:00:00Z' - n / 7 * interval '1 microsecond', 'note.changed', 'success',
      ${sql.lit(big)}::uuid, jsonb_build_object('text', repeat('x', 2000))
    from generate_series(${sql.lit(from)}, ${sql.lit(from + 1999)}) n`.execute(db)
}

test('RULE-78 an export of 20,000 rows is ordered and complete during concurrent writes', async () => {
  const isOver = new AbortController()
  const writing = (async () => {
    for (let count = 0; ; count += 1) {
      if (isOver.signal.aborted) return count
      const row = { event: 'note.changed', result: 'success', project_id: big, detail: '{}' }
      await db
        .insertInto('audit')
        .values({ id: uuidv7(), ...row })
        .execute()
    }
  })()
  const rows = rowsOf((await exportOf(big, { format: 'jsonl', search: 'event:note.' })).body)
  isOver.abort()
  expect(await writing).toBeGreaterThan(0)

  const there = await db
    .selectFrom('audit')
    .select('id')
    .where('project_id', '=', big)
    .where('at', '<=', new Date('2026-01-01T00:00:00Z'))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  expect(there).toHaveLength(many)
  const old = rows.filter(({ detail }) => 'text' in detail)
  expect(old.map(({ _id }) => _id)).toEqual(there.map(({ id }) => id))
})

/** Counts the reads of the log; the many rows need 21. */
function countReads() {
  const queries = vi.spyOn(pg.Client.prototype, 'query')
  const count = () =>
    queries.mock.calls.filter(([query]) =>
      /from audit a .*offset/s.test(String((query as { text?: string }).text)),
    ).length
  return {
    count,
    /** Returns the count once it has reached the least and not changed for two seconds. */
    async settled(least = 0): Promise<number> {
      for (let before = -1; ; await delay(2000)) {
        const now = count()
        if (now >= least && now === before) return now
        before = now
      }
    },
    [Symbol.dispose]: () => queries.mockRestore(),
  }
}

/** Opens an export without reading its body. */
const openExport = () =>
  new Promise<IncomingMessage>((opened, failed) => {
    const url = `${server.url}${apiBase}/projects/${big}/audit/export?format=jsonl`
    get(url, { agent: false, headers: { authorization: `Bearer ${owner.token}` } }, opened).once(
      'error',
      failed,
    )
  })

test('a slow client slows the reading, and a disconnected one ends it', async () => {
  using reads = countReads()
  const slow = await openExport()
  const held = await reads.settled(1)
  expect(held).toBeLessThan(15)
  let lines = 0
  for await (const chunk of slow) lines += String(chunk).split('\n').length - 1
  expect(lines).toBeGreaterThanOrEqual(many)
  expect(reads.count()).toBeGreaterThanOrEqual(21)

  const before = reads.count()
  const leaving = await openExport()
  leaving.destroy()
  expect((await reads.settled()) - before).toBeLessThan(15)
}, 120_000)

test('a HEAD request returns the headers and reads no rows', async () => {
  using reads = countReads()
  const headers = { authorization: `Bearer ${owner.token}` }
  const url = `${server.url}${apiBase}/projects/${big}/audit/export?format=csv`
  const answer = await fetch(url, { method: 'HEAD', headers })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
  ])
  expect(await reads.settled()).toBe(0)
})

test('RULE-57 a hostile CSV cell is plain text to a spreadsheet, and other cells stay unchanged', async () => {
  const { projectId } = await given.project(owner)
  const both = [
    ['=HYPERLINK("http://evil.example","x")', `'=HYPERLINK("http://evil.example","x")`],
    ['+1+cmd|calc', "'+1+cmd|calc"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', "'\r'=1"],
    ['\n=1', "'\n'=1"],
    ['＝1', "'＝1"],
    // Where lines are divided at semicolons, another cell begins there.
    ['a,b "c"\r\nd;=1', `a,b "c"\r\nd;'=1`],
    ["'=1", "'=1"],
    ['Größe – 東京 😀', 'Größe – 東京 😀'],
    ['', ''],
  ] as const
  const targets = both.map(([target]) => target)
  const cells = both.map(([, cell]) => cell)
  await db
    .insertInto('audit')
    .values(
      targets.map((target) => ({
        id: uuidv7(),
        event: 'grant.added',
        result: 'success',
        actor_id: owner.personId,
        target,
        project_id: projectId,
        address: '::1',
        detail: JSON.stringify({ label: '=1,"2"' }),
      })),
    )
    .execute()
  const { body } = await exportOf(projectId, { format: 'csv' })
  const [head, ...lines] = cellsOf(body)
  expect(head?.join()).toBe('_id,at,event,result,actor,actorName,target,project,address,detail')
  const rows = rowsOf((await exportOf(projectId, { format: 'jsonl' })).body)
  expect(rows.map(({ target }) => target)).toEqual(targets.toReversed())
  expect(lines).toEqual(
    rows.map(({ _id, at }, index) => [
      _id,
      at,
      'grant.added',
      'success',
      owner.personId,
      "'=cmd|calc Hall",
      cells.toReversed()[index],
      projectId,
      '::1',
      JSON.stringify({ label: '=1,"2"' }),
    ]),
  )
})

test('a CSV begins with a byte order mark, so that spreadsheets read its names, and JSON lines do not', async () => {
  const { projectId } = await given.project(owner)
  const bytesOf = async (format: string) => {
    const url = `${server.url}${apiBase}/projects/${projectId}/audit/export?format=${format}`
    const answer = await fetch(url, { headers: { authorization: `Bearer ${owner.token}` } })
    return Buffer.from(await answer.arrayBuffer())
  }
  expect((await bytesOf('csv')).subarray(0, 6)).toEqual(Buffer.from('\ufeff_id'))
  expect((await bytesOf('jsonl')).subarray(0, 1).toString()).not.toBe('\ufeff')
})

test('a file contains the rows of the list, and its name describes the content', async () => {
  const { projectId } = await given.project(owner, { label: 'Größe "7" / Süd' })
  const row = { result: 'success', project_id: projectId, detail: '{}' }
  await db
    .insertInto('audit')
    .values(
      ['grant.added', 'grant.removed', 'project.changed'].map((event) => ({ id: uuidv7(), event, ...row })),
    )
    .execute()
  const { items } = (await owner.call(auditEndpoints.ofProject, { params: { projectId } })).body
  expect(items).toHaveLength(3)
  expect(rowsOf((await exportOf(projectId, { format: 'jsonl' })).body)).toEqual(items)
  const grants = await exportOf(projectId, { format: 'jsonl', search: 'event:grant' })
  expect(rowsOf(grants.body)).toEqual(items.slice(1))
  expect(grants.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')

  const none = await exportOf(projectId, { format: 'csv', search: 'event:none' })
  expect(none.body).toBe('_id,at,event,result,actor,actorName,target,project,address,detail\r\n')
  const { headers } = none
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="pult-audit-Groe-7-Sud-[\d-]{10}\.csv"; filename\*=UTF-8''pult-audit-Gr%C3%B6%C3%9Fe-7-S%C3%BCd-[\d-]{10}\.csv$/,
  )
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cache-control')).toBe('no-store')

  const query = { format: 'jsonl', search: `project:${projectId}` } as const
  const everywhere = await root.call(auditEndpoints.export, { query })
  expect(rowsOf(everywhere.body)).toEqual(items)
  expect(everywhere.headers.get('content-disposition')).toMatch(
    /^attachment; filename="pult-audit-[\d-]{10}\.jsonl"; /,
  )
  const wrong = { ...query, format: 'xml' } as unknown as typeof query
  expect(await root.call(auditEndpoints.export, { query: wrong })).toFailWith('VALIDATION_FAILED')
})
