import { edgeEndpoints, edgeEnrolmentEndpoints, homeEndpoints, projectEndpoints } from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSocket } from '#platform/realtime/test-socket.ts'
import type { AuditEvent } from '../audit/audit.repository.ts'
import { connectAgent, someReport, type VirtualAgent } from '../edges/testing/virtual-agent.ts'

const server = await testServer()
const { given, db } = server

let owner: GivenPerson
let watcher: GivenPerson
let reader: GivenPerson
let orgOwner: GivenPerson
let projectId: string
let orgId: string
beforeEach(async () => {
  ;[owner, watcher, reader, orgOwner] = await Promise.all([
    given.person({ firstname: 'Olga' }),
    given.person({ firstname: 'Wanda' }),
    given.person({ firstname: 'Rita' }),
    given.person({ firstname: 'Otto' }),
  ])
  ;({ orgId } = await given.organisation(orgOwner, { members: [owner] }))
  ;({ projectId } = await given.project(owner, {
    label: 'Messe',
    org: { orgId },
    products: ['project', 'edges', 'media-library'],
    grants: [
      { person: watcher, productRole: 'edges/viewer' },
      { person: reader, productRole: 'project/viewer' },
    ],
  }))
})

const agents: VirtualAgent[] = []
afterEach(() => {
  for (const { ws } of agents.splice(0)) ws.terminate()
})

const homeOf = async (person: GivenPerson) =>
  (await person.call(homeEndpoints.read, { params: { projectId } })).body

interface GivenEdge {
  label: string
  /** Minutes since the edge was last seen; undefined for an online edge. */
  offlineFor?: number
  troubles?: Record<string, string>
  report?: ReturnType<typeof someReport>
}

async function edge({ label, offlineFor, troubles, report = someReport() }: GivenEdge, of = projectId) {
  const id = uuidv7()
  await sql`
    insert into edge (id, project_id, label, token_hash) values (${id}, ${of}, ${label}, sha256(${id}::text::bytea))`.execute(
    db,
  )
  const gone = offlineFor === undefined ? null : sql`now() - make_interval(mins => ${offlineFor})`
  await sql`
    insert into edge_presence (edge_id, connection, run, version, is_online, seen_at, offline_since, report, troubles,
      programs, programs_running, decks)
    values (${id}, ${id}, ${id}, '1', ${offlineFor === undefined}, now(), ${gone}, ${JSON.stringify(report)},
      ${troubles === undefined ? null : JSON.stringify(troubles)}::jsonb, 3, 2, 1)`.execute(db)
  return id
}

async function failedTask(title: string, minutes: number, createdBy = owner) {
  const id = uuidv7()
  await sql`
    insert into task (id, project_id, type, kind, title, state, error, error_message, created_by, lease_for, deadline_at,
      fulfilled_at)
    values (${id}, ${projectId}, 'project-export', 'info', ${title}, 'rejected', 'No space',
      '{"code": "upload-gone", "values": {}}', ${createdBy.personId}, interval '1 minute', now(), now() - make_interval(mins => ${minutes}))`.execute(
    db,
  )
  return id
}

const kindsOf = ({ problems }: Awaited<ReturnType<typeof homeOf>>) => problems.map(({ kind }) => kind)

test('DEC-14 each reader of a project sees only the parts of its home that they may see', async () => {
  await edge({ label: 'Gate', offlineFor: 5 })
  await failedTask('Export', 3)
  const sent = await owner.call(projectEndpoints.invite, {
    params: { projectId },
    body: { email: 'nora@example.org', productRole: 'edges/viewer' },
  })
  await sql`update token_link set expires_at = now() + interval '2 hours' where id = ${sent.body.invitation._id}`.execute(
    db,
  )
  const root = await given.person({ isRoot: true })
  const stranger = await given.person()

  for (const person of [owner, root]) {
    const home = await homeOf(person)
    expect(kindsOf(home)).toEqual(['edgeOffline', 'taskFailed', 'invitationExpires'])
    expect(home).toMatchObject({
      problemsTotal: 3,
      people: { total: 3 },
      invitations: { total: 1, items: [{ email: 'nora@example.org', role: 'Viewer' }] },
      counts: { edges: 1, media: 0, notes: 0 },
    })
    expect(home.people?.first[0]).toEqual({ _id: owner.personId, name: 'Olga Lovelace' })
    expect(home.activity.map(({ event }) => event)).toEqual(['invitation.created'])
  }
  const nothing = { people: null, invitations: null, activity: [] }
  const watched = await homeOf(watcher)
  expect(kindsOf(watched)).toEqual(['edgeOffline', 'taskFailed'])
  expect(watched).toMatchObject({
    ...nothing,
    problemsTotal: 2,
    me: { access: 'grant', roles: ['Viewer'] },
    fleet: { counts: { total: 1, offline: 1 } },
    counts: { edges: 1, media: null, notes: null },
  })
  const read = await homeOf(reader)
  expect(kindsOf(read)).toEqual(['taskFailed'])
  expect(read).toMatchObject({ ...nothing, problemsTotal: 1, fleet: null, counts: { edges: null } })
  expect(JSON.stringify(read)).not.toContain('Gate')
  const managed = await homeOf(orgOwner)
  expect(kindsOf(managed)).toEqual(['taskFailed'])
  expect(managed).toMatchObject({ people: { total: 3 }, fleet: null, invitations: null })

  for (const person of [stranger, await given.person()])
    expect(await person.call(homeEndpoints.read, { params: { projectId } })).toFailWith('NOT_FOUND')
  expect(await server.call(homeEndpoints.read, { params: { projectId } })).toFailWith('UNAUTHENTICATED')
})

test('a project without the product of edges has no fleet and no problems of edges', async () => {
  await edge({ label: 'Gate', offlineFor: 5 })
  await db
    .updateTable('project')
    .set({ products: ['project'] })
    .where('id', '=', projectId)
    .execute()
  expect(await homeOf(owner)).toMatchObject({
    fleet: null,
    problems: [],
    counts: { edges: null, media: null },
  })
})

test('problems are sorted by kind (offline, failed, trouble), and the longest first', async () => {
  const since = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const full = await edge({
    label: 'Full',
    troubles: { disk: since(2) },
    report: someReport({ disk: { total: 100, free: 6 } }),
  })
  const stopped = await edge({
    label: 'Stopped',
    troubles: { 'program:player': since(4) },
    report: someReport({
      instances: [{ key: 'player', label: 'Player', state: 'stopped', canRestart: true }],
    }),
  })
  await sql`
    insert into edge_instance (id, edge_id, key, label, is_reported)
    values (${uuidv7()}, ${stopped}, 'player', 'Sign player', true)`.execute(db)
  await failedTask('Import', 90)
  const short = await edge({ label: 'Short', offlineFor: 1 })
  const long = await edge({ label: 'Long', offlineFor: 60 })
  const { problems, fleet } = await homeOf(owner)
  expect(problems).toEqual([
    expect.objectContaining({
      id: `offline:${long}`,
      kind: 'edgeOffline',
      severity: 'danger',
      edge: { _id: long, label: 'Long' },
      last: { load: 10, memory: 63, disk: 38 },
    }),
    expect.objectContaining({ id: `offline:${short}` }),
    expect.objectContaining({
      kind: 'taskFailed',
      task: expect.objectContaining({ title: 'Import' }),
      reason: 'rejected',
      error: 'No space',
      errorMessage: { code: 'upload-gone', values: {} },
      startedBy: { _id: owner.personId, name: 'Olga Lovelace' },
      mayEnd: true,
    }),
    expect.objectContaining({
      kind: 'programStopped',
      severity: 'warning',
      edge: { _id: stopped, label: 'Stopped' },
      program: expect.objectContaining({ label: 'Sign player' }),
      canRestart: true,
    }),
    expect.objectContaining({ id: `disk:${full}`, kind: 'diskFull', usedPercent: 94 }),
  ])
  expect(fleet).toMatchObject({
    counts: { total: 4, online: 0, trouble: 2, offline: 2, waiting: 0, revoked: 0, silent: 0 },
    programs: { running: 4, total: 6 },
    decks: 2,
  })
  expect(fleet?.cells.map(({ label, state, load }) => [label, state, load])).toEqual([
    ['Long', 'offline', null],
    ['Short', 'offline', null],
    ['Full', 'trouble', 10],
    ['Stopped', 'trouble', 10],
  ])
})

/** Edges that never reported: enrolled ones are waiting, the others revoked. */
const addEdges = (count: number, tags: string, isEnrolled = true) =>
  sql`
    insert into edge (id, project_id, label, tags, token_hash)
    select uuidv7(), ${projectId}::uuid, 'Edge ' || n, ${sql.raw(tags)}::text[],
      case when ${isEnrolled} then sha256(uuidv7()::text::bytea) end
    from generate_series(1, ${count}::int) n`.execute(db)

test('a fleet of up to 96 edges is shown as cells, and a larger one as counts per tag', async () => {
  await addEdges(95, `array['crane']`)
  const gate = await edge({ label: 'Gate', offlineFor: 5 })
  const small = (await homeOf(watcher)).fleet
  expect([small?.cells.length, small?.cells[0]?.label, small?.tags]).toEqual([96, 'Gate', []])

  await sql`update edge set tags = '{"quay 3",crane}' where id = ${gate}`.execute(db)
  await addEdges(1, `array['quay 3']`, false)
  const none = { total: 0, online: 0, trouble: 0, offline: 0, waiting: 0, revoked: 0, silent: 0 }
  const crane = { tag: 'crane', counts: { ...none, total: 96, offline: 1, waiting: 95 } }
  const quay = { tag: 'quay 3', counts: { ...none, total: 2, offline: 1, revoked: 1 } }
  const tagged = (await homeOf(watcher)).fleet
  expect(tagged).toMatchObject({ counts: { total: 97 }, cells: [] })
  expect(tagged?.tags).toEqual([crane, quay])

  await edge({ label: 'Online' })
  const untagged = { tag: null, counts: { ...none, total: 1, online: 1 } }
  expect((await homeOf(watcher)).fleet?.tags).toEqual([crane, quay, untagged])
})

test('a fleet of more than 96 edges without tags is shown as the cells of its worst edges', async () => {
  await addEdges(97, `'{}'`)
  await edge({ label: 'Gate', offlineFor: 5 })
  const { fleet } = await homeOf(watcher)
  expect(fleet).toMatchObject({ counts: { total: 98, offline: 1, waiting: 97 }, tags: [] })
  expect([fleet?.cells.length, fleet?.cells[0]?.label]).toEqual([96, 'Gate'])
})

test('the twelve most common tags come first, and edges without a tag last', async () => {
  await addEdges(100, `array['own ' || n, 'Line ' || n % 20 / 2, case when n > 90 then 'last' end]`)
  await sql`update edge set tags = array_remove(tags, null)`.execute(db)
  await addEdges(200, `'{}'`)
  const tags = (await homeOf(watcher)).fleet?.tags.map(({ tag, counts }) => [tag, counts.total])
  expect(tags).toEqual([
    ['last', 10],
    ...Array.from({ length: 10 }, (_, line) => [`Line ${line}`, 10]),
    ['own 1', 1],
    [null, 200],
  ])
})

test('home shows an edge with the highest load that an agent can report', async () => {
  const most = Number.MAX_SAFE_INTEGER
  await edge({ label: 'Busy', report: someReport({ load: [most, 0, 0], cores: 1 }) })
  expect((await homeOf(watcher)).fleet?.cells).toMatchObject([{ label: 'Busy', load: most * 100 }])
})

test('a failed task is a problem until it is archived, or for 24 hours', async () => {
  const old = await failedTask('Old', 24 * 60 + 1)
  const fresh = await failedTask('Fresh', 24 * 60 - 1)
  expect((await homeOf(reader)).problems).toMatchObject([{ id: `task:${fresh}`, mayEnd: false }])
  await sql`update task set archived_at = now() where id = ${fresh}`.execute(db)
  const home = await homeOf(reader)
  expect(home.problems).toEqual([])
  // The last failure was that of the archived task.
  expect(Date.now() - Date.parse(home.wellSince ?? '')).toBeCloseTo((24 * 60 - 1) * 60_000, -5)
  expect(old).not.toBe(fresh)
})

test('wellSince is null in a project without past problems', async () => {
  await edge({ label: 'Gate' })
  expect((await homeOf(owner)).wellSince).toBeNull()
})

test('home lists at most 50 problems with their total number', async () => {
  for (let number = 0; number < 53; number += 1) await edge({ label: `Edge ${number}`, offlineFor: number })
  const { problems, problemsTotal, fleet } = await homeOf(owner)
  expect([problems.length, problemsTotal, fleet?.cells.length]).toEqual([50, 53, 53])
})

test('reports of an agent start and end troubles, which are published on the topic of edges', async () => {
  const made = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Van' } })
  expect((await homeOf(owner)).fleet?.counts).toMatchObject({ waiting: 1 })
  const { body } = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: made.body.code } })
  for (const secret of [made.body.code, body.token]) server.watchSecret(secret)
  const socket = await openTestSocket(server.url, { token: watcher.token })
  await socket.ask({ type: 'subscribe', topic: `/projects/${projectId}/edges` })
  const events = () =>
    socket.messages.filter((one) => one.type === 'event' && one.name === 'edge:presence').length
  const agent = await connectAgent(server.url, { token: body.token })
  agents.push(agent)
  const instances = (state: 'running' | 'stopped') => [
    { key: 'player', label: 'Player', state, canRestart: true },
  ]
  agent.report(someReport({ instances: instances('running'), disk: { total: 100, free: 11 } }))
  const poll = <Value>(read: (home: Awaited<ReturnType<typeof homeOf>>) => Value) =>
    expect.poll(async () => read(await homeOf(owner)))
  await poll(({ fleet }) => fleet?.counts.online).toBe(1)
  await poll(({ fleet }) => fleet?.programs).toEqual({ running: 1, total: 1 })

  agent.report(someReport({ instances: instances('stopped'), disk: { total: 100, free: 10 } }))
  await poll(kindsOf).toEqual(expect.arrayContaining(['diskFull', 'programStopped']))
  const { problems } = await homeOf(owner)
  await expect.poll(events).toBe(2)
  // Continuing troubles keep their start time.
  agent.report(someReport({ instances: instances('stopped'), disk: { total: 100, free: 9 } }))
  await poll((home) => home.problems.find(({ kind }) => kind === 'diskFull')).toMatchObject({
    usedPercent: 91,
  })
  expect((await homeOf(owner)).problems.map((one) => ('since' in one ? one.since : null))).toEqual(
    problems.map((one) => ('since' in one ? one.since : null)),
  )
  agent.report(someReport({ instances: instances('running'), disk: { total: 100, free: 50 } }))
  await poll(({ problems: left }) => left).toEqual([])
  expect(Date.now() - Date.parse((await homeOf(owner)).wellSince ?? '')).toBeLessThan(10_000)
  await expect.poll(events).toBe(3)
  socket.ws.terminate()
})

test('activity shows what the reader may see, folded by person and event, and without addresses', async () => {
  const at = (minutes: number) => sql<Date>`now() - make_interval(secs => ${minutes * 60})`
  const entry = (
    event: string,
    minutes: number,
    by: GivenPerson | null,
    target: string,
    detail: object = {},
  ) =>
    db
      .insertInto('audit')
      .values({
        id: uuidv7(),
        at: at(minutes),
        event,
        result: 'success',
        actor_id: by?.personId ?? null,
        target,
        project_id: projectId,
        address: '192.0.2.7',
        detail: JSON.stringify(detail),
      })
      .execute()
  const medium = uuidv7()
  await entry('medium.created', 9, watcher, uuidv7(), { label: 'First' })
  await entry('medium.created', 8, watcher, medium, { label: 'Second' })
  await entry('edge.restarted', 8.5, watcher, uuidv7(), { label: 'Gate' })
  const wash = { name: 'run', key: 'wash', values: { minutes: 5 } }
  await entry('edge-job.started', 2, owner, uuidv7(), { command: wash })
  await entry('edge-key.created', 2.5, owner, uuidv7(), { label: 'Hall 5' })
  await entry('edge.enrolled', 3, null, uuidv7(), { label: 'Van' })
  await entry('note.created', 30, owner, uuidv7(), { label: 'Secret plan' })
  await entry('grant.changed', 41, owner, reader.personId)
  // Two roles of one person and one role of another person in one step count as two people.
  await entry('grant.added', 61, owner, watcher.personId)
  await entry('grant.added', 62, owner, reader.personId)
  await entry('grant.added', 62, owner, reader.personId)
  await entry('project.changed', 52, owner, projectId)

  const seen = async (person: GivenPerson) =>
    (await homeOf(person)).activity.map(({ event, count, target }) => [event, count, target?.label])
  expect(await seen(owner)).toEqual([
    ['edge-job.started', 1, 'wash'],
    ['edge-key.created', 1, 'Hall 5'],
    ['edge.enrolled', 1, 'Van'],
    ['medium.created', 2, 'Second'],
    ['edge.restarted', 1, 'Gate'],
    ['note.created', 1, 'Secret plan'],
    ['grant.changed', 1, 'Rita Lovelace'],
    ['project.changed', 1, 'Messe'],
  ])
  // Of media, the watcher sees their own entries, and of enrolment keys none.
  expect(await seen(watcher)).toEqual([
    ['edge-job.started', 1, 'wash'],
    ['edge.enrolled', 1, 'Van'],
    ['medium.created', 2, 'Second'],
    ['edge.restarted', 1, 'Gate'],
    ['project.changed', 1, 'Messe'],
  ])
  expect(await seen(reader)).toEqual([['project.changed', 1, 'Messe']])
  expect(await seen(orgOwner)).toEqual([
    ['grant.changed', 1, 'Rita Lovelace'],
    ['project.changed', 1, 'Messe'],
    ['grant.added', 2, 'Wanda Lovelace'],
  ])
  const home = await homeOf(owner)
  expect(home.activity[3]).toMatchObject({
    actor: { _id: watcher.personId, name: 'Wanda Lovelace' },
    target: { _id: medium, label: 'Second' },
  })
  expect(JSON.stringify(home)).not.toContain('192.0.2.7')
})

test('DEC-14 an entry of activity is seen by those who may read the record that it is about', async () => {
  const [operator, maintainer, editor, root] = await Promise.all([
    given.person(),
    given.person(),
    given.person(),
    given.person({ isRoot: true }),
  ])
  const people = { owner, root, reader, watcher, operator, maintainer, editor, orgOwner }
  type Name = keyof typeof people
  const all = Object.keys(people) as Name[]
  const edges: Name[] = ['owner', 'root', 'watcher', 'operator']
  const rows: [event: AuditEvent, seenBy: Name[]][] = [
    ['project.changed', all],
    ['task.aborted', all],
    ['task-token.created', ['owner', 'root', 'orgOwner']],
    ['extension.settings-changed', ['owner', 'root', 'maintainer', 'orgOwner']],
    ['grant.changed', ['owner', 'root', 'maintainer', 'orgOwner']],
    ['note.changed', ['owner', 'root', 'maintainer']],
    ['notes.removed', ['owner', 'root', 'maintainer']],
    ['medium.changed', ['owner', 'root', 'editor']],
    ['media.removed', ['owner', 'root', 'editor']],
    ['edge.update-policy-changed', edges],
    ['edge-group.changed', edges],
    ['edge-job.stopped', edges],
    ['edge-schedule.changed', edges],
    ['edge-key.created', ['owner', 'root', 'operator']],
    ['invitation.revoked', ['owner', 'root']],
    ['access.declined', ['owner', 'root']],
    ['deck-key.pressed', ['owner', 'root']],
  ]
  const stranger = await given.person()
  for (const [event, seenBy] of rows) {
    const made = await given.project(owner, {
      org: { orgId },
      products: ['project', 'edges', 'media-library'],
      grants: [
        { person: reader, productRole: 'project/viewer' },
        { person: watcher, productRole: 'edges/viewer' },
        { person: operator, productRole: 'edges/operator' },
        { person: maintainer, productRole: 'project/maintainer' },
        { person: editor, productRole: 'media-library/editor' },
      ],
    })
    await db
      .insertInto('audit')
      .values({
        id: uuidv7(),
        event,
        result: 'success',
        actor_id: stranger.personId,
        target: stranger.personId,
        project_id: made.projectId,
        detail: '{}',
      })
      .execute()
    const seen: Name[] = []
    for (const name of all) {
      const home = await people[name].call(homeEndpoints.read, { params: { projectId: made.projectId } })
      if (home.body.activity.some((entry) => entry.event === event)) seen.push(name)
    }
    expect([event, ...seen]).toEqual([event, ...seenBy])
  }
})

test('the home of a deleted project returns 404', async () => {
  await edge({ label: 'Gate', offlineFor: 5 })
  await owner.call(projectEndpoints.remove, { params: { projectId } })
  expect(await owner.call(homeEndpoints.read, { params: { projectId } })).toFailWith('NOT_FOUND')
})
