import {
  edgeEndpoints,
  edgeGroupEndpoints,
  edgeJobEndpoints,
  edgeScheduleEndpoints,
  findEndpoints,
  mediaEndpoints,
  noteEndpoints,
  organisationEndpoints,
  profileEndpoints,
  projectEndpoints,
  rootPeopleEndpoints,
  streamDeckEndpoints,
  taskEndpoints,
} from '@pult/contract'
import { testServer, upload } from '@pult/testkit'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { normaliseTexts } from './normalise-texts.ts'

const server = await testServer()
const { given, db } = server

const composed = 'Müllerstraße Café'
const decomposed = composed.normalize('NFD')
const family = '👨‍👩‍👧‍👦'
const content = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()

test('a name that was typed decomposed is found composed, and the other way round, in every list', async () => {
  const root = await given.person({ isRoot: true, firstname: decomposed })
  expect(await root.call(profileEndpoints.update, { body: { firstname: decomposed } })).toSucceed()
  const org = await root.call(organisationEndpoints.create, { body: { label: decomposed } })
  const made = await root.call(projectEndpoints.create, {
    body: { label: decomposed, products: ['project', 'edges', 'media-library'] },
  })
  expect([org.body.label, made.body.label]).toEqual([composed, composed])
  const params = { projectId: made.body._id }
  const body = { label: decomposed, text: decomposed }
  expect(await root.call(noteEndpoints.create, { params, body })).toSucceed()
  const edge = await root.call(edgeEndpoints.enrol, { params, body: { label: decomposed } })
  server.watchSecret(edge.body.code)
  const edgeParams = { ...params, edgeId: edge.body.edge._id }
  expect(
    await root.call(edgeEndpoints.update, {
      params: edgeParams,
      body: { tags: [decomposed], place: decomposed },
    }),
  ).toSucceed()
  const picture = { name: 'a.png', contentType: 'image/png', content, project: params.projectId }
  const file = await upload(server, root, picture)
  const medium = { file, label: decomposed, tags: [family, decomposed] }
  // A task with the medium's label makes its formats.
  expect((await root.call(mediaEndpoints.create, { params, body: medium })).body.tags).toEqual([
    family,
    composed,
  ])
  const group = await root.call(edgeGroupEndpoints.create, { params, body: { label: decomposed, rule: {} } })
  const schedule = { label: decomposed, command: { name: 'diagnostics' }, group: group.body._id } as const
  const times = { cron: '0 3 1 1 *', timeZone: 'Europe/Berlin' }
  expect(
    await root.call(edgeScheduleEndpoints.create, { params, body: { ...schedule, ...times } }),
  ).toSucceed()
  // Without an agent, no edge can run a job.
  await sql`
    insert into edge_job (id, project_id, label, command, at_once, expires_at)
    values (gen_random_uuid(), ${made.body._id}, ${composed}, '{"name": "diagnostics"}', 1, now() + interval '1 day')`.execute(
    db,
  )
  for (const word of [composed, decomposed]) {
    const query = { search: `"${word}"` }
    const lists = await Promise.all([
      root.call(organisationEndpoints.list, { query }),
      root.call(projectEndpoints.list, { query }),
      root.call(noteEndpoints.list, { params, query }),
      root.call(edgeEndpoints.list, { params, query }),
      root.call(edgeEndpoints.list, { params, query: { search: `tag:"${word}"` } }),
      root.call(edgeEndpoints.list, { params, query: { place: word, tags: word } }),
      root.call(rootPeopleEndpoints.list, { query }),
      root.call(mediaEndpoints.list, { params, query }),
      root.call(mediaEndpoints.list, { params, query: { search: `tag:"${word}" tag:${family}` } }),
      root.call(taskEndpoints.list, { params, query }),
      root.call(edgeGroupEndpoints.list, { params, query }),
      root.call(edgeJobEndpoints.list, { params, query }),
      root.call(edgeScheduleEndpoints.list, { params, query }),
    ])
    expect(lists.map(({ body: { total } }) => total)).toEqual(Array(13).fill(1))
    const { items } = (await root.call(findEndpoints.find, { query: { q: word } })).body
    expect(items.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['edge', 'note']))
  }
})

describe('stored texts', () => {
  let projectId: string
  let ids: { edge: string; media: string; note: string; task: string }
  beforeAll(async () => {
    const owner = await given.person()
    ;({ projectId } = await given.project(owner, { products: ['project', 'edges', 'media-library'] }))
    const { rows } = await sql<typeof ids>`
      with e as (
        insert into edge (id, project_id, label, tags, place)
        values (gen_random_uuid(), ${projectId}, ${decomposed}, ${['b', decomposed, composed, 'a']}::text[], ${decomposed})
        returning id
      ), m as (
        insert into media (id, project_id, label, type, state, formats, tags)
        values (gen_random_uuid(), ${projectId}, ${decomposed}, 'image', 'ready', '[]', ${[decomposed]}::text[]) returning id
      ), n as (
        insert into note (id, project_id, label, text)
        values (gen_random_uuid(), ${projectId}, ${`\u202e${decomposed}`}, ${decomposed}) returning id
      ), t as (
        insert into task (id, project_id, type, kind, title, state, deadline_at, fulfilled_at, lease_for)
        values (gen_random_uuid(), ${projectId}, 'test', 'info', ${decomposed}, 'finished', now(), now(), interval '1 minute')
        returning id
      ), p as (
        update project set meta = ${JSON.stringify({ customer: decomposed, projectId: '\n\u0301' })}::jsonb
        where id = ${projectId}
      )
      select e.id as edge, m.id as media, n.id as note, t.id as task from e, m, n, t`.execute(db)
    ids = rows[0] as typeof ids
  })

  test('become composed, keep their revision, and lose a tag that repeats another one', async () => {
    const before = await db
      .selectFrom('edge')
      .select('revision')
      .where('id', '=', ids.edge)
      .executeTakeFirst()
    await normaliseTexts(db)
    const edge = await db.selectFrom('edge').selectAll().where('id', '=', ids.edge).executeTakeFirstOrThrow()
    expect(edge).toMatchObject({ label: composed, place: composed, tags: ['b', composed, 'a'], ...before })
    const media = db.selectFrom('media').select(['label', 'tags']).where('id', '=', ids.media)
    expect(await media.executeTakeFirst()).toEqual({ label: composed, tags: [composed] })
    const task = db.selectFrom('task').select(['title', 'search']).where('id', '=', ids.task)
    expect(await task.executeTakeFirst()).toMatchObject({
      title: composed,
      search: expect.stringContaining(composed.toLowerCase()) as string,
    })
  })

  test('in a document are left as they are if an accent would combine with an escape', async () => {
    await normaliseTexts(db)
    const meta = async () =>
      (await db.selectFrom('project').select('meta').where('id', '=', projectId).executeTakeFirst())?.meta
    expect(await meta()).toEqual({ customer: decomposed, projectId: '\n\u0301' })
    await sql`update project set meta = meta - 'projectId' where id = ${projectId}`.execute(db)
    await normaliseTexts(db)
    expect(await meta()).toEqual({ customer: composed })
  })

  test('of settings, of extensions’ settings and of keys of decks become composed', async () => {
    const owner = await given.person()
    const keys = [{ slot: 0, key: 0, label: decomposed, icon: null, action: null }]
    const values = JSON.stringify({ text: decomposed, secret: { sealed: 'AAAA' } })
    await sql`
      with s as (
        insert into settings (person_id, name, value)
        values (${owner.personId}, 'stream-decks', ${JSON.stringify({ wallpaperText: decomposed, keys })}::jsonb)
      ), v as (
        insert into extension_settings (extension, project_id, "values") values ('x', ${projectId}, ${values}::jsonb)
      ), d as (
        insert into edge_deck (edge_id, serial) values (${ids.edge}, 'A')
      )
      select 1`.execute(db)
    await sql`insert into edge_deck_page (edge_id, serial, page, keys)
      values (${ids.edge}, 'A', 0, ${JSON.stringify([{ label: decomposed }])}::jsonb)`.execute(db)
    await normaliseTexts(db)
    const decks = await owner.call(streamDeckEndpoints.read)
    expect(decks.body).toMatchObject({ wallpaperText: composed, keys: [{ label: composed }] })
    const { rows } = await sql`
      select "values", keys from extension_settings, edge_deck_page where project_id = ${projectId}`.execute(
      db,
    )
    expect(rows).toEqual([
      { values: { text: composed, secret: { sealed: 'AAAA' } }, keys: [{ label: composed }] },
    ])
  })

  test('are no longer looked for a week after the migration', async () => {
    const labelOf = async () =>
      (await db.selectFrom('edge').select('label').where('id', '=', ids.edge).executeTakeFirst())?.label
    const shift = (days: number) =>
      sql`update kysely_migration set timestamp = (timestamp::timestamptz + ${days} * interval '1 day')::text
          where name = '0054-normalised-texts'`.execute(db)
    await db.updateTable('edge').set({ label: decomposed }).where('id', '=', ids.edge).execute()
    await shift(-8)
    await normaliseTexts(db)
    expect(await labelOf()).toBe(decomposed)
    await shift(8)
    await normaliseTexts(db)
    expect(await labelOf()).toBe(composed)
  })

  test('that today’s rules reject remain readable, and can be changed', async () => {
    const owner = await given.person({ isRoot: true })
    const params = { projectId, itemId: ids.note }
    const read = await owner.call(noteEndpoints.read, { params })
    expect(read.body.label).toBe(`\u202e${composed}`)
    expect(await owner.call(noteEndpoints.update, { params, body: { label: read.body.label } })).toFailWith(
      'VALIDATION_FAILED',
    )
    expect(await owner.call(noteEndpoints.update, { params, body: { label: 'Hall' } })).toSucceed()
    await sql`insert into edge_group (id, project_id, label, all_tags, any_tags, places, versions, states)
      values (gen_random_uuid(), ${projectId}, 'Group', ${['\u202eA']}::text[], '{}', ${['\u200b']}::text[], '{}', '{}')`.execute(
      db,
    )
    const groups = await owner.call(edgeGroupEndpoints.list, { params: { projectId } })
    expect(groups.body.items).toMatchObject([{ rule: { allTags: ['\u202eA'], places: ['\u200b'] } }])
    expect(edgeGroupEndpoints.list.reply.safeParse(groups.body).success).toBe(true)
  })
})

test.each([
  ['\u200b', 'Must not be empty', 'Darf nicht leer sein'],
  [
    'invoice \u202egnp.exe',
    'Must not contain control characters or hidden characters',
    'Darf keine Steuerzeichen und keine verborgenen Zeichen enthalten',
  ],
  ['\u0301'.repeat(200), 'Must not be empty', 'Darf nicht leer sein'],
  [
    `e${'\u0301'.repeat(199)}`,
    'Must not have more than 8 marks on one letter',
    'Darf nicht mehr als 8 Akzente auf einem Buchstaben haben',
  ],
  ['😀'.repeat(201), 'Must have at most 200 characters', 'Höchstens 200 Zeichen'],
])(
  'no. %#: an unusable name is rejected with a reason in the caller’s language',
  async (label, english, german) => {
    const ada = await given.person()
    const calls = ['en', 'de'].map((language) =>
      ada.call(projectEndpoints.create, { body: { label }, headers: { 'accept-language': language } }),
    )
    const bodies = (await Promise.all(calls)).map(({ status, body }) => ({ status, body: body as unknown }))
    expect(bodies).toMatchObject(
      [english, german].map((message) => ({
        status: 400,
        body: { code: 'VALIDATION_FAILED', issues: [{ path: ['label'], message }] },
      })),
    )
  },
)

test('a name of 200 emoji is stored whole and listed page by page', async () => {
  const ada = await given.person()
  const label = '😀'.repeat(200)
  const { projectId } = await given.project(ada, { products: ['project', 'edges'] })
  const params = { projectId }
  for (let count = 0; count < 3; count += 1) {
    const made = await ada.call(edgeEndpoints.enrol, { params, body: { label } })
    expect(made).toSucceed()
    server.watchSecret(made.body.code)
  }
  const first = await ada.call(edgeEndpoints.list, { params, query: { limit: '2', sort: 'label' } })
  const after = first.body.next ?? ''
  const second = await ada.call(edgeEndpoints.list, { params, query: { limit: '2', sort: 'label', after } })
  expect([first.body.items.length, second.body.items.length]).toEqual([2, 1])
  expect(second.body.items[0]?.label).toBe(label)
})
