import {
  auditEndpoints,
  edgeEndpoints,
  loginEndpoints,
  mediaEndpoints,
  meEndpoints,
  noteEndpoints,
  organisationEndpoints,
  projectEndpoints,
  streamDeckEndpoints,
  taskEndpoints,
} from '@pult/contract'
import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { afterAll, expect, test } from 'vitest'
import { buildEdgeAgent } from '../tools/build-edge-agent.ts'
import { addDemoData } from '../tools/demo/demo-data.ts'
import { addDemoLife } from '../tools/demo/demo-life.ts'
import { demoPeople } from '../tools/demo/demo-people.ts'
import { scenes } from '../tools/demo/demo-scenes.ts'
import { trialRun } from '../tools/demo/trial-run.ts'

/* Reads the records of npm run demo through the API as its accounts. */

const server = await testServer({ taskKinds: [trialRun] })
const { db, secrets } = server
const password = 'Kranführer im Nebel 12'
server.watchSecret(password)
const accounts = await addDemoData(db, { password, secrets })
await buildEdgeAgent()
const place = { url: server.url, password, dataFolder: server.dataFolder }
const life = await addDemoLife(place)
afterAll(() => life.stop())

const enter = (username: string, withPassword = password) =>
  server.call(loginEndpoints.login, {
    body: { type: 'credentials', data: { username, password: withPassword } },
  })

async function signIn(email: string): Promise<string> {
  const { token, voucher } = (await enter(email)).body
  if (token !== undefined) return token
  const secret = accounts.find((account) => account.email === email)?.otpSecret ?? ''
  server.watchSecret(secret)
  const otp = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const answer = await server.call(loginEndpoints.login, {
    body: { type: 'otp', data: { voucher: voucher ?? '', otp } },
  })
  if (answer.body.token === undefined) throw new Error(`${email} could not sign in`)
  return answer.body.token
}

const { rosa, henrik, juergen, tomasz, elodie } = demoPeople

test('DEC-14 each user of the demo sees the records that its description promises', async () => {
  const seen: Record<string, [string, string[], string[]]> = {}
  for (const { email } of accounts) {
    if (email === juergen.email) continue
    const token = await signIn(email)
    const { firstname } = (await server.call(meEndpoints.read, {}, token)).body
    const projects = (await server.call(projectEndpoints.list, {}, token)).body.items
    const organisations = (await server.call(organisationEndpoints.list, {}, token)).body.items
    const short = (label: string) => label.split(' ')[0] ?? ''
    seen[firstname] = [
      organisations.map(({ label, access }) => `${short(label)}: ${access}`).join(', '),
      projects.map(({ label }) => short(label)),
      projects.filter(({ access }) => access === 'owner').map(({ label }) => short(label)),
    ]
  }
  const all = 'Containerterminal Schleuse Festspielhaus Stadttheater Landstrom Messe Windpark Atelier'
  expect(seen).toEqual({
    Rosa: ['Nordkai: root, Lindner: root', all.split(' '), []],
    Henrik: [
      'Nordkai: owner',
      ['Landstrom', 'Containerterminal', 'Schleuse'],
      ['Landstrom', 'Containerterminal'],
    ],
    Clara: ['Lindner: owner', ['Festspielhaus', 'Stadttheater', 'Messe'], ['Stadttheater', 'Messe']],
    Maike: ['Nordkai: member', ['Schleuse'], ['Schleuse']],
    Tomasz: ['Nordkai: member', ['Containerterminal', 'Schleuse'], []],
    Ingrid: ['Nordkai: member', ['Landstrom'], []],
    Jakob: ['Lindner: member', ['Festspielhaus'], ['Festspielhaus']],
    Sofia: ['Lindner: member', ['Stadttheater'], []],
    Pieter: ['', ['Containerterminal', 'Messe'], []],
    Aylin: ['', ['Festspielhaus', 'Windpark'], ['Windpark']],
    Élodie: ['', ['Stadttheater', 'Atelier'], ['Atelier']],
    Lukas: ['', [], []],
  })
  expect(await enter(juergen.email)).toFailWith('INVALID_CREDENTIALS')
})

test('DEC-16 the records of the demo equal records of the services', async () => {
  const root = await signIn(rosa.email)
  const projects = (await server.call(projectEndpoints.list, {}, root)).body.items
  for (const { _id: projectId, label, revision } of projects) {
    const { body } = await server.call(projectEndpoints.verify, { params: { projectId } }, root)
    expect(body, label).toEqual({ verified: true, problems: [] })
    expect(revision, label).toBe(2)
    const history = (await server.call(auditEndpoints.ofProject, { params: { projectId } }, root)).body.items
    expect(history.at(-1), label).toMatchObject({ event: 'project.created', target: projectId })
  }
  const twice = projects.flatMap(({ grants }) =>
    grants.filter(({ name }) => name.startsWith(elodie.firstname)),
  )
  expect(twice.map(({ productRole }) => productRole)).toEqual(['project/viewer', 'project/operator'])

  const organisations = (await server.call(organisationEndpoints.list, {}, root)).body.items
  for (const { _id: orgId, owner } of organisations) {
    const members = (await server.call(organisationEndpoints.members, { params: { orgId } }, root)).body.items
    expect(members[0]).toMatchObject({ _id: owner, isOwner: true })
    expect(members.length).toBeGreaterThan(2)
  }
  const { rows } = await sql<{ grant: string }>`
    select g.id as "grant" from project_grant g
    where g.product_role is distinct from (
      select detail ->> 'productRole' from audit
      where event in ('grant.added', 'grant.changed') and detail ->> 'grant' = g.id::text
      order by at desc, id desc limit 1)`.execute(db)
  expect(rows).toEqual([])
})

test('ORG-01 the demo includes pending and expired invitations, notes and weeks of history', async () => {
  const owner = await signIn(henrik.email)
  const [organisation] = (await server.call(organisationEndpoints.list, {}, owner)).body.items
  const params = { orgId: organisation?._id ?? '' }
  const pending = (await server.call(organisationEndpoints.invitations, { params }, owner)).body.items
  expect(pending.map(({ email, isExpired }) => [email, isExpired])).toEqual([
    ['disposition@nordkai.example', false],
    ['hafenmeister@nordkai.example', true],
  ])

  const operator = await signIn(tomasz.email)
  const [project] = (await server.call(projectEndpoints.list, {}, operator)).body.items
  const at = { params: { projectId: project?._id ?? '' } }
  const notes = (await server.call(noteEndpoints.list, at, operator)).body.items
  expect(notes.map(({ isPinned, revision }) => [isPinned, revision])).toEqual([
    [true, 2],
    [false, 1],
    [false, 2],
  ])

  const { total, items } = (await server.call(auditEndpoints.list, {}, await signIn(rosa.email))).body
  expect(total).toBeGreaterThan(200)
  expect(items.every(({ at: when }) => Date.parse(when) <= Date.now())).toBe(true)
})

test('TASK-01 EDGE-01 DECK-03 the demo includes media, edges with agents, tasks in every state and Stream Decks', {
  timeout: 180_000,
}, async () => {
  const owner = await signIn(henrik.email)
  const [shorePower] = (await server.call(projectEndpoints.list, {}, owner)).body.items
  const params = { projectId: shorePower?._id ?? '' }
  const patience = { timeout: 60_000, interval: 100 }

  const edges = async () => (await server.call(edgeEndpoints.list, { params }, owner)).body.items
  const present = async () => (await edges()).map(({ label, state }) => `${label}: ${state}`)
  await expect
    .poll(present, patience)
    .toEqual(['Kabelwagen: online', 'Pumpenhaus Kai 6: offline', 'Übergabestation: online'])
  await expect
    .poll(async () => (await edges()).at(-1)?.instances.map(({ state }) => state), patience)
    .toEqual(['stopped', 'running', 'running'])

  const tasks = async () => (await server.call(taskEndpoints.list, { params }, owner)).body.items
  const running = async () =>
    (await tasks()).find(({ type }) => type === 'load-bank/trial-run')?.state.progress?.[0]
  await expect.poll(running, patience).toBeGreaterThan(0)
  const exported = async () =>
    (await tasks()).find(({ type, isAborted }) => type === 'project-export' && !isAborted)?.state.fileUrl
  await expect.poll(exported, patience).toMatch(/^\/api\/files\/.+\/content\?/)
  const ends = (await tasks()).filter(
    ({ type }) => !['load-bank/trial-run', 'media-transcode'].includes(type),
  )
  expect(ends.map(({ isAborted, isTimedOut, isRejected }) => [isAborted, isTimedOut, isRejected])).toEqual([
    [false, false, false],
    [true, false, false],
    [false, true, false],
    [false, false, true],
    [false, false, false],
  ])

  const media = async () => (await server.call(mediaEndpoints.list, { params }, owner)).body.items
  await expect.poll(async () => (await media()).every(({ state }) => state === 'ready'), patience).toBe(true)
  const drawn = scenes.filter(({ project }) => project === 'shorePower').map(({ label }) => label)
  expect((await media()).map(({ label }) => label).toSorted()).toEqual(drawn.toSorted())

  const decks = (await server.call(streamDeckEndpoints.read, {}, owner)).body
  expect(decks.wallpaperSrc).not.toBeNull()
  expect(Object.keys(decks.mapping)).toEqual(['0', '1'])
  expect(decks.keys.every(({ action }) => action !== null)).toBe(true)
})

test('a second start adds no records and prints a new password', async () => {
  const count = async () => {
    const tables = [
      'person',
      'email',
      'organisation',
      'membership',
      'project',
      'project_grant',
      'note',
      'task',
      'edge',
      'media',
      'file',
    ]
    const { rows } = await sql<Record<string, number>>`
      select ${sql.join([...tables, 'token_link', 'otp'].map((name) => sql`(select count(*) from ${sql.table(name)}) as ${sql.ref(name)}`))},
        (select count(*) from audit where actor_id is null or detail ? 'label') as audit`.execute(db)
    return rows[0]
  }
  const before = await count()
  // A second start does not revert a renamed record.
  await db.updateTable('organisation').set({ label: 'Nordkai' }).where('label', 'like', 'Nordkai%').execute()
  const next = 'Bühnenmeisterin bei Licht 34'
  server.watchSecret(next)
  expect(await addDemoData(db, { password: next, secrets })).toEqual(accounts)
  const again = await addDemoLife({ ...place, password: next })
  again.stop()
  expect(await count()).toEqual(before)
  expect((await enter(henrik.email, next)).body.next).toBe('redeem')
  expect(await enter(henrik.email)).toFailWith('INVALID_CREDENTIALS')
})
