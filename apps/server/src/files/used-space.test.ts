import { Readable } from 'node:stream'
import { fileEndpoints, projectEndpoints } from '@pult/contract'
import { type GivenPerson, sized, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import { createFileRepository } from './file.repository.ts'
import { takeSpace } from './space.ts'

const quota = 300_000
const total = 900_000
const settings = { FILE_QUOTA: String(quota), FILE_TOTAL: String(total) }
const server = await testServer({ settings })
const second = await testServer({ besides: server, settings })
const { db, given } = server

const contentType = 'text/plain'

/** Returns the kept sums, and the same sums computed from all files, of one moment. */
async function sums() {
  const { rows } = await sql<{ place: string; kept: number; computed: number }>`
    with counted as (
      select project_id, person_id, case when stored_at is null then arrived else size end as bytes from file
    ), computed as (
      select place, sum(bytes)::bigint as bytes from (
        select 'installation' as place, bytes from counted
        union all select 'project ' || project_id, bytes from counted where project_id is not null
        union all select 'person ' || person_id, bytes from counted where project_id is null and person_id is not null
      ) places group by place
    )
    select place, coalesce(k.bytes, 0) as kept, coalesce(c.bytes, 0) as computed
    from used_space k full join computed c using (place) order by place`.execute(db)
  return rows
}

/** Returns pseudo-random numbers from 0 to 1: a linear congruential generator. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test('RULE-71 the kept sums equal the sums of all files, and stay within the limits, through concurrent uploads, clean-ups and deletions', {
  timeout: sized(60_000, 600_000),
}, async () => {
  const next = numbersFrom(20_261_129)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item
  const owner = await given.person()
  const people: GivenPerson[] = []
  for (let count = 0; count < 6; count += 1) people.push(await given.person())
  const grants = people.map((person) => ({ person, productRole: 'project/operator' }))
  const projects: string[] = []
  for (let count = 0; count < 4; count += 1) projects.push((await given.project(owner, { grants })).projectId)
  const open: { by: GivenPerson; filename: string; url: string; size: number }[] = []

  const put = async (url: string, body: string, range?: string) => {
    const headers = { 'content-type': contentType, ...(range !== undefined && { 'content-range': range }) }
    const answer = await fetch(pick([server.url, second.url]) + url, { method: 'PUT', headers, body })
    await answer.arrayBuffer()
  }
  const begin = async () => {
    const by = pick(people)
    const size = Math.floor(next() * 120_000) + 1
    const project = next() < 0.7 ? pick(projects) : undefined
    const body = { filename: 'a.txt', contentType, size, ...(project !== undefined && { project }) }
    const { status, body: ticket } = await by.call(fileEndpoints.create, { body })
    if (status !== 200) return
    server.watchSecret(ticket.url.slice(ticket.url.lastIndexOf('/') + 1))
    open.push({ by, filename: ticket.filename, url: ticket.url, size })
  }
  const actions: (() => Promise<unknown>)[] = [
    begin,
    begin,
    begin,
    async () => {
      const upload = open.length === 0 ? undefined : pick(open)
      if (upload !== undefined) await put(upload.url, 'a'.repeat(upload.size))
    },
    async () => {
      const upload = open.length === 0 ? undefined : pick(open)
      if (upload === undefined) return
      const end = Math.floor(next() * upload.size)
      await put(upload.url, 'a'.repeat(end), `bytes 0-${end - 1}/${upload.size}`)
    },
    async () => {
      const upload = open.length === 0 ? undefined : pick(open)
      // A page as a text is a refusal of the content.
      if (upload !== undefined) await put(upload.url, '\0'.repeat(upload.size))
    },
    async () => {
      const upload = open.length === 0 ? undefined : pick(open)
      if (upload === undefined) return
      const params = { filename: upload.filename }
      const { status, body } = await upload.by.call(fileEndpoints.resume, { params })
      if (status !== 200) return
      server.watchSecret(body.url.slice(body.url.lastIndexOf('/') + 1))
      upload.url = body.url
    },
    () =>
      server.app.files
        .keep(
          {
            projectId: pick(projects),
            personId: null,
            readers: 'project',
            name: 'a',
            contentType,
            lifetime: 3_600_000,
          },
          Readable.from([Buffer.alloc(Math.floor(next() * 60_000))]),
        )
        .catch((error: unknown) => {
          if (!(error instanceof AppError) || error.status !== 507) throw error
        }),
    () =>
      sql`update upload_ticket set expires_at = now() where random() < 0.3 and held_by is null`.execute(db),
    async () => {
      const { rows } = await sql<{ id: string }>`
        select id from file where stored_at is not null order by random() limit 3`.execute(db)
      await db.transaction().execute((trx) =>
        server.app.files.release(
          trx,
          rows.map(({ id }) => id),
        ),
      )
    },
    () => server.app.sweepFiles(),
  ]
  for (let wave = 0; wave < sized(15, 120); wave += 1) {
    await Promise.all(Array.from({ length: 12 }, () => pick(actions)()))
    for (const { place, kept, computed } of await sums()) {
      expect(kept, place).toBe(computed)
      expect(kept, place).toBeLessThanOrEqual(place === 'installation' ? total : quota)
    }
  }
  expect((await sums()).filter(({ kept }) => kept > 0).length).toBeGreaterThan(3)

  const [leaving] = people as [GivenPerson]
  await db.deleteFrom('person').where('id', '=', leaving.personId).execute()
  const params = { projectId: projects[0] ?? '' }
  expect(await owner.call(projectEndpoints.remove, { params })).toSucceed()
  for (const { place, kept, computed } of await sums()) expect(kept, place).toBe(computed)
  await sql`update file set created_at = now() - interval '25 hours', stored_at = stored_at - interval '25 hours',
    expires_at = now()`.execute(db)
  await sql`update upload_ticket set expires_at = now(), held_until = null`.execute(db)
  await server.app.sweepFiles()
  expect(await sums()).toEqual([{ place: 'installation', kept: 0, computed: 0 }])
  expect(server.logLines.filter((line) => line.includes('a call failed'))).toEqual([])
})

test('RULE-71 the statements of a ticket and of received bytes read no row of other files', async () => {
  const ada = await given.person()
  const place = { projectId: uuidv7(), personId: ada.personId }
  const count = 20_000
  // One statement of so many files would change the sums as many times.
  await sql`alter table file disable trigger file_space`.execute(db)
  await sql`
    insert into file (id, filename, project_id, person_id, readers, name, content_type, size, stored_at)
    select gen_random_uuid(), md5(n::text || ${place.projectId}), case when n % 2 = 0 then ${place.projectId}::uuid end,
      ${ada.personId}, 'project', 'a', ${contentType}, 1, now()
    from generate_series(1, ${count}) n`.execute(db)
  await sql`alter table file enable trigger file_space`.execute(db)
  await sql`analyze file`.execute(db)
  const limits = { fileMax: 10, quota: 1_000_000, total: 1_000_000 }
  const read = await db.transaction().execute(async (trx) => {
    const rowsRead = async () => {
      const { rows } = await sql<{ read: number }>`
        select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'file'`.execute(
        trx,
      )
      return rows[0]?.read ?? 0
    }
    // PostgreSQL adds what earlier transactions of this connection have read within the last second.
    const before = await rowsRead()
    const within = createFileRepository(trx)
    const upload = { ...place, filename: '0'.repeat(32), size: 10 }
    const ticket = { tokenHash: Buffer.alloc(32), sessionId: null, tokenId: null, mayHold: 0 }
    await within.countUnfinished({ personId: ada.personId, projectId: null })
    await within.expect({ ...upload, readers: 'project', name: 'a', contentType }, ticket)
    await within.setReceived(upload.filename, 10)
    await takeSpace(within, upload, { space: limits, upload })
    await within.expiredSpace({ of: 'installation' }, null)
    await within.expiredSpace({ of: place }, null)
    return (await rowsRead()) - before
  })
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(count / 100)
})
