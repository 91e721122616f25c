import { apiBase, type ErrorReply, limits, type Note, noteEndpoints, projectEndpoints } from '@pult/contract'
import { type GivenPerson, inWaves, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { beforeEach, expect, test } from 'vitest'
import { recordLimits } from '#platform/database/record-quota.ts'
import { sweepRemovedNotes } from './note.repository.ts'

const server = await testServer()
const second = await testServer({ besides: server })
const { given, db } = server

const { list, create, read, update, remove, restore, removeAll, exec } = noteEndpoints
const unknownId = '018f0000-0000-7000-8000-000000000000'

let owner: GivenPerson
let operator: GivenPerson
let viewer: GivenPerson
let orgOwner: GivenPerson
let stranger: GivenPerson
let root: GivenPerson
let projectId: string
let grantId: string
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga' })
  operator = await given.person({ firstname: 'Otto' })
  viewer = await given.person({ firstname: 'Vera' })
  orgOwner = await given.person({ firstname: 'Orla' })
  stranger = await given.person({ firstname: 'Stan' })
  root = await given.person({ firstname: 'Ruth', isRoot: true })
  const org = await given.organisation(orgOwner, { members: [owner] })
  const made = await given.project(owner, {
    org,
    grants: [
      { person: operator, productRole: 'project/operator' },
      { person: viewer, productRole: 'project/viewer' },
    ],
  })
  projectId = made.projectId
  grantId = made.grantIds[0] ?? ''
})

async function write(label: string, text?: string, place = projectId): Promise<Note> {
  const body = { label, ...(text !== undefined && { text }) }
  const answer = await root.call(create, { params: { projectId: place }, body })
  expect(answer).toSucceed()
  return answer.body
}

const paramsOf = ({ _id }: Pick<Note, '_id'>) => ({ projectId, itemId: _id })

async function pin(note: Note): Promise<Note> {
  const answer = await root.call(exec, { params: { ...paramsOf(note), command: 'pin' }, body: {} })
  expect(answer).toSucceed()
  return answer.body
}

const labelsOf = async (query: { search?: string; limit?: string } = {}, person = owner) => {
  const { items, total } = (await person.call(list, { params: { projectId }, query })).body
  expect(total).toBe(items.length)
  return items.map(({ label }) => label)
}

/** Inserts notes directly, one per millisecond. */
async function fill(count: number, { isPinned = 'false' }: { isPinned?: string } = {}): Promise<void> {
  await sql`
    insert into note (id, project_id, label, is_pinned)
    select (lpad(to_hex(1700000000000 + n), 12, '0') || substr(gen_random_uuid()::text, 14))::uuid,
      ${projectId}, 'note ' || n, ${sql.raw(isPinned)}
    from generate_series(1, ${sql.lit(count)}) n`.execute(db)
}

/** Waits until one call is blocked by the row lock of the test. */
async function untilOneWaits(): Promise<void> {
  const waiting = sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const countOf = async () => (await waiting.execute(db)).rows.length
  await expect.poll(countOf, { interval: 10 }).toBe(1)
}

const auditOf = () =>
  db
    .selectFrom('audit')
    .select(['event', 'result', 'actor_id', 'target', 'address', 'detail'])
    .where('project_id', '=', projectId)
    .where('event', 'like', 'note%')
    .orderBy('id')
    .execute()

test('API-23 DEC-41 a note can be created, read, changed, pinned and deleted, with its revision as ETag', async () => {
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  const created = await operator.call(create, {
    params: { projectId },
    body: { label: ' Hall 7 ', text: 'The key is at the gate.' },
  })
  expect(created.body).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    label: 'Hall 7',
    text: 'The key is at the gate.',
    isPinned: false,
    createdAt: instant,
    revision: 1,
    updatedAt: instant,
    updatedBy: { _id: operator.personId, firstname: 'Otto', lastname: 'Lovelace' },
  })
  const note = created.body
  const params = paramsOf(note)
  const found = await owner.call(read, { params })
  expect([found.body, found.headers.get('etag')]).toEqual([note, '"1"'])

  const changed = await owner.call(update, {
    params,
    body: { text: 'The key is with Olga.' },
    headers: { 'if-match': '"1"' },
  })
  expect(changed.body).toMatchObject({
    label: 'Hall 7',
    text: 'The key is with Olga.',
    createdAt: note.createdAt,
    revision: 2,
    updatedBy: { _id: owner.personId },
  })
  expect(changed.headers.get('etag')).toBe('"2"')
  expect(Date.parse(changed.body.updatedAt)).toBeGreaterThan(Date.parse(note.updatedAt))

  for (const [command, isPinned, revision] of [
    ['pin', true, 3],
    ['pin', true, 3],
    ['unpin', false, 4],
  ] as const) {
    const answer = await operator.call(exec, { params: { ...params, command }, body: { cmdPayload: {} } })
    expect(answer.body).toMatchObject({ label: 'Hall 7', isPinned, revision })
  }
  expect((await owner.call(list, { params: { projectId } })).body).toEqual({
    items: [(await owner.call(read, { params })).body],
    total: 1,
  })
  expect((await operator.call(remove, { params })).body).toBe(true)
  expect(await operator.call(remove, { params })).toFailWith('NOT_FOUND')
  expect(await operator.call(read, { params })).toFailWith('NOT_FOUND')
  expect((await owner.call(list, { params: { projectId } })).body).toEqual({ items: [], total: 0 })
})

test('CRUD-06 an update without changes keeps the revision and is neither audited nor published', async () => {
  const note = await write('Hall 7', 'Key')
  const params = paramsOf(note)
  const before = await auditOf()
  for (const body of [{}, { label: 'Hall 7' }, { label: ' Hall 7 ', text: 'Key' }]) {
    const answer = await owner.call(update, { params, body })
    expect(answer.body).toEqual(note)
    expect(answer.headers.get('etag')).toBe('"1"')
  }
  expect(await auditOf()).toEqual(before)
  const { events } = await db
    .selectFrom('event')
    .select((eb) => eb.fn.countAll<number>().as('events'))
    .where('topic', '=', `/projects/${projectId}/notes`)
    .executeTakeFirstOrThrow()
  expect(events).toBe(1)
})

test('RULE-58 an update without a revision writes only the fields of the body', async () => {
  const note = await write('Hall 7', 'Key')
  const params = paramsOf(note)
  await Promise.all([
    owner.call(update, { params, body: { label: 'Hall 8' } }),
    operator.call(update, { params, body: { text: 'No key' } }),
    pin(note),
  ])
  expect((await owner.call(read, { params })).body).toMatchObject({
    label: 'Hall 8',
    text: 'No key',
    isPinned: true,
    revision: 4,
  })
})

test('RULE-58 DEC-41 of 50 concurrent edits of one revision over two nodes one succeeds, and 49 get the current record', async () => {
  const note = await write('Hall 7')
  const answers = await inWaves(50, (index) =>
    (index % 2 === 0 ? server : second).call(
      update,
      { params: paramsOf(note), body: { text: `edit ${index}` }, headers: { 'if-match': '"1"' } },
      owner.token,
    ),
  )
  const winners = answers.filter(({ status }) => status === 200)
  expect(winners).toHaveLength(1)
  const current = winners[0]?.body
  expect(current?.revision).toBe(2)
  const losers = answers.filter((answer) => answer !== winners[0])
  for (const loser of losers) {
    expect(loser).toFailWith('REVISION_CONFLICT')
    const { detail } = loser.body as unknown as ErrorReply
    const { updatedAt, updatedBy } = current ?? {}
    expect(detail).toEqual({ current, updatedAt, updatedBy })
  }
  expect((await owner.call(read, { params: paramsOf(note) })).body).toEqual(current)
})

test('RULE-58 an edit that waited for another of the same revision gets a conflict', async () => {
  const note = await write('Hall 7')
  const params = paramsOf(note)
  const { pending } = await db.transaction().execute(async (trx) => {
    await trx.selectFrom('note').select('id').where('id', '=', note._id).forUpdate().execute()
    const started = operator.call(update, {
      params,
      body: { text: 'late' },
      headers: { 'if-match': '"1"' },
    })
    await untilOneWaits()
    await sql`update note set text = 'first', revision = 2 where id = ${note._id}`.execute(trx)
    return { pending: started }
  })
  const late = await pending
  expect(late).toFailWith('REVISION_CONFLICT')
  expect((late.body as unknown as { detail: unknown }).detail).toMatchObject({
    current: { text: 'first', revision: 2 },
  })
})

test('RULE-59 DEC-41 a create that is repeated with one key on two nodes creates one note', async () => {
  const repeat = (headers: Record<string, string>, label = 'Once', node = server) =>
    node.call(create, { params: { projectId }, body: { label }, headers }, owner.token)
  const key = { 'idempotency-key': 'k1' }
  const answers = await Promise.all([
    repeat(key),
    repeat(key, 'Once', second),
    repeat(key),
    repeat(key, 'Once', second),
  ])
  for (const answer of answers) expect(answer).toSucceed()
  expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1)
  expect(await labelsOf()).toEqual(['Once'])
  expect(await auditOf()).toHaveLength(1)
  // Another key, user or project, or no key, creates another note.
  await repeat({ 'idempotency-key': 'k2' }, 'Second key')
  await operator.call(create, { params: { projectId }, body: { label: 'Otto' }, headers: key })
  await repeat({}, 'No key')
  await repeat({}, 'No key')
  expect(await labelsOf()).toEqual(['No key', 'No key', 'Otto', 'Second key', 'Once'])
  const other = await given.project(owner)
  const elsewhere = await owner.call(create, { params: other, body: { label: 'There' }, headers: key })
  expect(elsewhere.body.label).toBe('There')
})

test('RULE-51 a note belongs to the project of the path, and an invisible project gives the answer of an unknown one', async () => {
  const note = await write('Hall 7')
  const other = await given.project(owner)
  const calls = (person: GivenPerson, params: { projectId: string; itemId: string }) => [
    person.call(read, { params }),
    person.call(update, { params, body: { label: 'Theirs' } }),
    person.call(exec, { params: { ...params, command: 'pin' }, body: {} }),
    person.call(remove, { params }),
  ]
  const refused = [
    ...calls(owner, { projectId: other.projectId, itemId: note._id }),
    ...calls(root, { projectId: other.projectId, itemId: note._id }),
    ...calls(root, { projectId: unknownId, itemId: note._id }),
    ...calls(owner, { projectId, itemId: unknownId }),
    ...calls(stranger, paramsOf(note)),
  ]
  const bodies = new Set<string>()
  for (const answer of await Promise.all(refused)) {
    expect(answer).toFailWith('NOT_FOUND')
    bodies.add(JSON.stringify(answer.body))
  }
  expect(bodies.size).toBe(1)
  expect(await owner.call(removeAll, { params: { projectId: unknownId } })).toFailWith('NOT_FOUND')
  expect(await root.call(removeAll, { params: { projectId: unknownId } })).toFailWith('NOT_FOUND')
  expect(await root.call(list, { params: { projectId: unknownId } })).toFailWith('NOT_FOUND')
  const gone = { params: { projectId: unknownId }, body: { label: 'Nowhere' } }
  expect(await root.call(create, gone)).toFailWith('NOT_FOUND')
  expect((await owner.call(list, { params: other })).body).toEqual({ items: [], total: 0 })
  expect((await owner.call(read, { params: paramsOf(note) })).body).toEqual(note)
})

test('RULE-51 a note in a project that is being deleted is refused without a fault', async () => {
  const { pending } = await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('project').where('id', '=', projectId).execute()
    const started = owner.call(create, { params: { projectId }, body: { label: 'Late' } })
    await untilOneWaits()
    return { pending: started }
  })
  expect(await pending).toFailWith('NOT_FOUND')
})

test('DEC-14 DEC-15 root, the project’s owner and role holders read notes, and a lost role takes effect immediately', async () => {
  await write('Hall 7')
  const statusOf = async (person: GivenPerson) => (await person.call(list, { params: { projectId } })).status
  expect(await Promise.all([root, owner, operator].map(statusOf))).toEqual([200, 200, 200])
  expect(await Promise.all([viewer, orgOwner].map(statusOf))).toEqual([403, 403])
  expect(await statusOf(stranger)).toBe(404)

  // An organisation's owner uses the apps only with a grant, and a role of one project does not apply to another.
  const granted = await given.project(owner, {
    grants: [{ person: orgOwner, productRole: 'project/operator' }],
  })
  expect(await orgOwner.call(list, { params: granted })).toSucceed()
  expect(await statusOf(orgOwner)).toBe(403)

  const params = { projectId, grantId }
  const body = { productRole: 'project/viewer' }
  await owner.call(projectEndpoints.changeProductRole, { params, body })
  expect(await statusOf(operator)).toBe(403)
  expect((await second.call(list, { params: { projectId } }, operator.token)).status).toBe(403)
})

test('DEC-20 writers restore a deleted note as it was for ten minutes, and the restoration is audited', async () => {
  const note = await write('Hall 7', 'Left of the gate')
  const params = paramsOf(note)
  expect(await operator.call(remove, { params })).toSucceed()
  expect(await owner.call(read, { params })).toFailWith('NOT_FOUND')
  expect(await viewer.call(restore, { params })).toFailWith('FORBIDDEN')
  expect(await stranger.call(restore, { params })).toFailWith('NOT_FOUND')
  const other = await given.project(owner)
  expect(await owner.call(restore, { params: { ...params, ...other } })).toFailWith('NOT_FOUND')
  const restored = { ...note, revision: 2 }
  expect((await second.call(restore, { params }, operator.token)).body).toEqual(restored)
  expect((await operator.call(restore, { params })).body).toEqual(restored)
  const events = await db.selectFrom('audit').select('event').where('target', '=', note._id).execute()
  expect(events.map(({ event }) => event).toSorted()).toEqual([
    'note.created',
    'note.removed',
    'note.restored',
  ])

  await operator.call(remove, { params })
  await db
    .updateTable('removed_record')
    .set({ removed_at: sql<Date>`now() - interval '11 minutes'` })
    .execute()
  expect(await operator.call(restore, { params })).toFailWith('NOT_FOUND')
  await sweepRemovedNotes(db)
  expect(await db.selectFrom('removed_record').select('id').execute()).toEqual([])
})

test('DEC-20 RULE-56 only root deletes all notes of a project, and notes of other projects remain', async () => {
  const other = await given.project(owner)
  await write('There', '', other.projectId)
  await write('A')
  await write('B')
  for (const person of [owner, operator, viewer, orgOwner]) {
    expect(await person.call(removeAll, { params: { projectId } })).toFailWith('FORBIDDEN')
  }
  expect(await stranger.call(removeAll, { params: { projectId } })).toFailWith('NOT_FOUND')
  expect(await labelsOf()).toEqual(['B', 'A'])
  expect((await root.call(removeAll, { params: { projectId } })).body).toBe(true)
  expect(await labelsOf()).toEqual([])
  expect((await owner.call(list, { params: other })).body.items.map(({ label }) => label)).toEqual(['There'])
})

test('RULE-56 an undeclared command returns 404, including names of object properties', async () => {
  const note = await write('Hall 7')
  for (const command of [
    'constructor',
    '__proto__',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'unknown',
    'Pin',
    'pin ',
    'pin\0',
    '%',
    'get',
  ]) {
    const params = { ...paramsOf(note), command }
    expect(await owner.call(exec, { params, body: {} }), command).toFailWith('NOT_FOUND')
    expect(await root.call(exec, { params, body: { cmdPayload: { a: 1 } } }), command).toFailWith('NOT_FOUND')
  }
  const unsigned = await server.call(exec, { params: { ...paramsOf(note), command: 'unknown' }, body: {} })
  expect(unsigned).toFailWith('UNAUTHENTICATED')
  const seen = { params: { ...paramsOf(note), command: 'unknown' }, body: {} }
  expect(await viewer.call(exec, seen)).toFailWith('FORBIDDEN')
  expect((await owner.call(read, { params: paramsOf(note) })).body).toEqual(note)
})

test('RULE-54 a note accepts only declared fields', async () => {
  const note = await write('Hall 7')
  const undeclared = [
    { _id: unknownId },
    { isPinned: true },
    { owner: stranger.personId },
    { scope: ['root'] },
    { isRoot: true },
    { revision: 7 },
    { projectId: unknownId },
    { project_id: unknownId },
    { updatedBy: null },
    { verifiedAt: null },
  ]
  const wrong = [{ label: '' }, { label: '  ' }, { label: 7 }, { label: null }, { text: null }]
  const long = [{ label: 'x'.repeat(201) }, { text: 'x'.repeat(20_001) }]
  const badText = { text: 'a\0b' }
  for (const fields of [...undeclared, ...wrong, ...long, badText]) {
    const text = JSON.stringify(fields).slice(0, 80)
    const created = await owner.call(create, { params: { projectId }, body: { label: 'New', ...fields } })
    expect(created, text).toFailWith('VALIDATION_FAILED')
    const updated = await owner.call(update, { params: paramsOf(note), body: fields })
    expect(updated, text).toFailWith('VALIDATION_FAILED')
  }
  const params = { ...paramsOf(note), command: 'pin' }
  expect(await owner.call(exec, { params, body: { isRoot: true } })).toFailWith('VALIDATION_FAILED')
  expect(await labelsOf()).toEqual(['Hall 7'])
  const full = { label: 'x'.repeat(200), text: 'x'.repeat(20_000) }
  expect((await owner.call(update, { params: paramsOf(note), body: full })).body).toMatchObject(full)
})

test('DEC-42 CRUD-07 pinned notes come first, both groups newest first, over all pages', async () => {
  const notes: Note[] = []
  for (const label of ['A', 'B', 'C', 'D', 'E', 'F', 'G']) notes.push(await write(label))
  for (const index of [1, 4, 5]) await pin(notes[index] as Note)
  const order = ['F', 'E', 'B', 'G', 'D', 'C', 'A']
  for (const limit of ['1', '2', '3', '4', '6', '7', '50']) {
    const labels: string[] = []
    let after: string | undefined
    do {
      const query = { limit, ...(after !== undefined && { after }) }
      const { body } = await owner.call(list, { params: { projectId }, query })
      expect([body.total, body.totalIsCapped]).toEqual([7, undefined])
      expect(body.items.length).toBeLessThanOrEqual(Number(limit))
      labels.push(...body.items.map(({ label }) => label))
      after = body.next
    } while (after !== undefined)
    expect([limit, labels]).toEqual([limit, order])
  }
  // Insertions and deletions before the start of a page do not shift it.
  const first = (await owner.call(list, { params: { projectId }, query: { limit: '4' } })).body
  await pin(await write('H'))
  await write('I')
  await owner.call(remove, { params: paramsOf(notes[6] as Note) })
  const query = { limit: '4', after: first.next ?? '' }
  const rest = (await owner.call(list, { params: { projectId }, query })).body
  expect(rest.items.map(({ label }) => label)).toEqual(['D', 'C', 'A'])
})

test('DEC-42 a page of long notes ends after 1 MiB of text, and the pages have all notes', async () => {
  const long = '\u{1F511}'.repeat(limits.noteMax)
  await sql`
    insert into note (id, project_id, label, text, is_pinned)
    select gen_random_uuid(), ${projectId}, 'long ' || n, case when n % 10 = 0 then '' else ${long} end, n % 3 = 0
    from generate_series(1, 50) n`.execute(db)
  const labels: string[] = []
  let after: string | undefined
  let pages = 0
  do {
    const query = { limit: '200', ...(after !== undefined && { after }) }
    const { body } = await owner.call(list, { params: { projectId }, query })
    expect(body.total).toBe(50)
    expect(body.items.length).toBeGreaterThan(0)
    expect(Buffer.byteLength(body.items.map(({ text }) => text).join(''))).toBeLessThanOrEqual(1024 ** 2)
    labels.push(...body.items.map(({ label }) => label))
    after = body.next
    pages += 1
  } while (after !== undefined)
  expect(new Set(labels).size).toBe(50)
  expect([labels.length, pages]).toEqual([50, 4])
})

test('a project has at most 2,000 notes, exactly, also with concurrent calls on two nodes', async () => {
  await fill(recordLimits.notesMax - 3)
  const [removed, ...kept] = [await write('removed'), await write('kept')]
  expect((await owner.call(remove, { params: paramsOf(removed) })).status).toBe(200)
  const body = { label: 'one more' }
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? server : second).call(create, { params: { projectId }, body }, root.token),
    ),
  )
  expect(answers.map(({ code }) => code).filter((code) => code === 'PROJECT_FULL')).toHaveLength(8)
  const refused = await owner.call(create, { params: { projectId }, body })
  expect(refused).toFailWith('PROJECT_FULL')
  expect(refused.body).toMatchObject({ message: expect.stringContaining('2000 notes') })
  expect(await owner.call(restore, { params: paramsOf(removed) })).toFailWith('PROJECT_FULL')
  const { rows } = await sql<{ count: number }>`
    select count(*) from note where project_id = ${projectId}`.execute(db)
  expect(rows).toEqual([{ count: recordLimits.notesMax }])
  // A deletion makes space, and what was refused is still restorable.
  expect((await owner.call(remove, { params: paramsOf(kept[0]) })).status).toBe(200)
  expect((await owner.call(restore, { params: paramsOf(removed) })).status).toBe(200)
  await db.deleteFrom('note').where('project_id', '=', projectId).execute()
})

test('the texts of the notes of a project have at most 16 MiB, also after changes', async () => {
  // The longest text that fits into a body.
  const text = '\u{1F511}'.repeat(16_000)
  const most = Math.floor(recordLimits.notesBytesMax / (Buffer.byteLength(text) + 10))
  await sql`
    insert into note (id, project_id, label, text)
    select gen_random_uuid(), ${projectId}, 'a note', ${text} from generate_series(1, ${most}::int) n`.execute(
    db,
  )
  const [short, other] = [await write('short'), await write('other', 'x'.repeat(100))]
  expect(await owner.call(create, { params: { projectId }, body: { label: 'long', text } })).toFailWith(
    'PROJECT_FULL',
  )
  expect(await owner.call(update, { params: paramsOf(short), body: { text } })).toFailWith('PROJECT_FULL')
  expect((await owner.call(read, { params: paramsOf(short) })).body).toMatchObject({ text: '', revision: 1 })
  expect(await pin(short)).toMatchObject({ isPinned: true })
  expect((await owner.call(update, { params: paramsOf(other), body: { text: 'less' } })).status).toBe(200)
})

test('DEC-20 the newest 500 deleted notes of a project can be restored', async () => {
  await sql`
    insert into removed_record (id, collection, project_id, record)
    select gen_random_uuid(), 'note', ${projectId}, '{}' from generate_series(1, 510) n`.execute(db)
  const note = await write('deleted')
  await owner.call(remove, { params: paramsOf(note) })
  const { rows } = await sql<{ count: number }>`
    select count(*) from removed_record where project_id = ${projectId}`.execute(db)
  expect(rows).toEqual([{ count: 500 }])
  expect((await owner.call(restore, { params: paramsOf(note) })).status).toBe(200)
})

test('DEC-42 an invalid page is refused', async () => {
  const id = uuidv7()
  for (const after of [
    'x',
    '',
    '0',
    '1',
    id,
    `2${id}`,
    `01${id}`,
    `1${id} `,
    `1${id}'`,
    "' or 1=1 --",
    '1%00',
  ]) {
    const answer = await owner.call(list, { params: { projectId }, query: { after } })
    expect(answer, after).toFailWith('VALIDATION_FAILED')
  }
})

test('DEC-42 a page in the middle of 100,000 notes is read by the index, and the total is capped', async () => {
  await fill(100_000, { isPinned: 'n % 4 = 0' })
  await sql`vacuum analyze note`.execute(db)
  const first = (await owner.call(list, { params: { projectId }, query: { limit: '2' } })).body
  expect(first).toMatchObject({ total: 10_000, totalIsCapped: true, next: expect.any(String) })
  expect(first.items.map(({ label }) => label)).toEqual(['note 100000', 'note 99996'])

  // After the last pinned note, the next page starts with the first unpinned one.
  const last = await sql<{ id: string }>`select id from note where label = 'note 4'`.execute(db)
  const after = `1${last.rows[0]?.id ?? ''}`
  const query = { limit: '3', after }
  const next = (await owner.call(list, { params: { projectId }, query })).body
  expect(next.items.map(({ label }) => label)).toEqual(['note 99999', 'note 99998', 'note 99997'])

  // PostgreSQL reads no more rows than the page has.
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain (analyze, timing off, summary off, buffers off)
    select id from note where project_id = ${sql.lit(projectId)}
      and (is_pinned, id) < (true, ${sql.lit(last.rows[0]?.id)}::uuid)
    order by is_pinned desc, id desc limit 4`.execute(db)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('note_project')
  expect(plan).not.toMatch(/Sort|Filter/)

  const found = (
    await owner.call(list, { params: { projectId }, query: { search: 'pinned:true label:"note 1000"' } })
  ).body
  expect(found.items.map(({ label }) => label)).toEqual([
    'note 100000',
    'note 10008',
    'note 10004',
    'note 10000',
    'note 1000',
  ])
  await db.deleteFrom('note').where('project_id', '=', projectId).execute()
}, 60_000)

test('DEC-32 words are searched in label and text, terms are joined by AND, an unknown key is plain text', async () => {
  await write('Hall north side', 'Alpha has the key')
  await write('Hall side north', 'unknown: 10:30')
  await pin(await write('Tower', 'north side'))
  const [north, side, tower] = ['Hall north side', 'Hall side north', 'Tower']
  for (const [search, found] of [
    ['', [tower, side, north]],
    ['hall', [side, north]],
    ['SIDE hall', [side, north]],
    ['"north side"', [tower, north]],
    ['hall alpha', [north]],
    ['tower alpha', []],
    ['label:hall', [side, north]],
    ['label:side', []],
    ['label:"Hall side"', [side]],
    ['pinned:true', [tower]],
    ['pinned:TRUE', [tower]],
    ['pinned:false', [side, north]],
    ['pinned:false alpha', [north]],
    ['pinned:maybe', []],
    ['10:30', [side]],
    ['unknown:', [side]],
    ['text:north', []],
  ] as const) {
    expect([search, await labelsOf({ search })]).toEqual([search, found])
  }
})

test('RULE-57 a search treats wildcards, quotes and operators literally, in two fields, up to 200 characters', async () => {
  const odd = [
    '100% sure',
    'a_b',
    String.raw`back\slash`,
    `it's "quoted"`,
    'x; drop table note; --',
    'or 1=1',
    'key:value',
  ]
  for (const label of odd) await write(label)
  for (const [search, found] of [
    ['%', ['100% sure']],
    ['_', ['a_b']],
    ['\\', [String.raw`back\slash`]],
    ['\\\\', []],
    ['label:%', []],
    ['label:a_', ['a_b']],
    ['label:1_0', []],
    ['label:\\', []],
    ['key:value', ['key:value']],
    [':', ['key:value']],
    ["'", [`it's "quoted"`]],
    ['"', [`it's "quoted"`]],
    ["' or '1'='1", []],
    ['; --', ['x; drop table note; --']],
    ['$1', []],
    ['(((', []],
    ['*', []],
    ['a&b|!c', []],
    ['constructor:x', []],
    ['__proto__:x', []],
    ['x'.repeat(200), []],
  ] as const) {
    expect([search, await labelsOf({ search })]).toEqual([search, found])
  }
  const refuse = async (query: { search: string }) =>
    expect(await owner.call(list, { params: { projectId }, query })).toFailWith('VALIDATION_FAILED')
  await refuse({ search: 'x'.repeat(201) })
  await refuse({ search: 'a\0b' })
  const other = { search: 'x', filter: 'x' }
  await refuse(other)

  // A list is limited by the statement timeout.
  const limited = await testServer({ besides: server, hasCallLimits: true })
  await db.transaction().execute(async (trx) => {
    await sql`lock table note in access exclusive mode`.execute(trx)
    const answer = await limited.call(list, { params: { projectId }, query: { search: 'hall' } }, owner.token)
    expect(answer).toFailWith('QUERY_TIMEOUT')
  })
})

test('RULE-57 a search without an index reads the newest 20,000 notes and reports it', async () => {
  await sql`
    insert into note (id, project_id, label)
    select uuid_in(lpad(to_hex(n), 32, '0')::cstring), ${projectId}::uuid, 'Oldest zq' from generate_series(1, 2) n
    union all
    select gen_random_uuid(), ${projectId}::uuid, 'Plain' from generate_series(1, 20000)`.execute(db)
  const found = async (search: string) =>
    (await owner.call(list, { params: { projectId }, query: { search } })).body
  expect(await found('zq')).toEqual({ items: [], total: 0, totalIsCapped: true })
  expect(await found('oldest')).toMatchObject({ total: 2 })
  expect(await found('"oldest zq"')).toMatchObject({ total: 2 })
})

test('API-23 every change of a note is audited with actor, origin and content, without the note’s text', async () => {
  const note = await write('Hall 7', 'kanarienvogel')
  const params = paramsOf(note)
  await owner.call(update, { params, body: { label: 'Hall 8', text: 'kanarienvogel 2' } })
  await operator.call(exec, { params: { ...params, command: 'pin' }, body: {} })
  await owner.call(remove, { params })
  await write('A')
  await write('B')
  await root.call(removeAll, { params: { projectId } })
  await root.call(removeAll, { params: { projectId } })
  const rows = (await auditOf()).filter(
    ({ detail }) => !('label' in detail && /^[AB]$/.test(String(detail['label']))),
  )
  const by = ({ personId }: GivenPerson, target: string) => ({
    actor_id: personId,
    result: 'success',
    target,
    address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
  })
  expect(rows).toEqual([
    { event: 'note.created', ...by(root, note._id), detail: { label: 'Hall 7' } },
    {
      event: 'note.changed',
      ...by(owner, note._id),
      detail: { label: 'Hall 8', fields: ['label', 'text'], from: { label: 'Hall 7' } },
    },
    { event: 'note.changed', ...by(operator, note._id), detail: { label: 'Hall 8', fields: ['isPinned'] } },
    { event: 'note.removed', ...by(owner, note._id), detail: { label: 'Hall 8' } },
    { event: 'notes.removed', ...by(root, projectId), detail: { count: 2 } },
  ])
})

test('API-23 a note’s text is stored as plain text', async () => {
  const text = '<script>alert(1)</script>\n\u{1F511} ‮ "\\" ${x}'
  const note = await write('Odd', text)
  expect((await owner.call(read, { params: paramsOf(note) })).body.text).toBe(text)
  const raw = await fetch(`${server.url}${apiBase}/projects/${projectId}/notes/${note._id}`, {
    headers: { authorization: `Bearer ${owner.token}` },
  })
  expect(raw.headers.get('content-type')).toMatch(/^application\/json/)
})
