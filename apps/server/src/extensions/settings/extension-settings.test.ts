import { createServer } from 'node:http'
import {
  extensionSettingsEndpoints,
  ownExtensionSettingsEndpoints,
  projectHeader,
  rootExtensionEndpoints,
  rootExtensionSettingsEndpoints,
  settingsHeader,
} from '@pult/contract'
import { extensionFolder, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'

const settings = [
  { id: 'key', scope: 'installation', type: 'secret', label: 'Key' },
  {
    id: 'limit',
    type: 'number',
    label: 'Limit',
    labels: { 'de-DE': 'Grenze' },
    default: 40,
    min: -20,
    max: 120,
  },
  {
    id: 'unit',
    type: 'choice',
    label: 'Unit',
    default: 'celsius',
    options: [{ id: 'celsius', label: '°C' }],
  },
  { id: 'sound', scope: 'person', type: 'switch', label: 'Sound' },
]
const app = {
  id: 'heat',
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
  label: 'Heat',
  icon: 'box',
  productSku: 'heat',
  role: 'heat',
}
const signApp = {
  ...app,
  id: 'sign',
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d12',
  label: 'Sign',
  productSku: 'sign',
  role: 'sign',
}
const extensionsFolder = await extensionFolder({
  heat: {
    manifest: {
      id: 'heat',
      label: 'Heat',
      settings,
      backend: { label: 'Probe' },
      products: [{ sku: 'heat', label: 'Heat', roles: [{ id: 'user', label: 'User', roles: ['heat'] }] }],
      apps: [app],
    },
  },
  sign: {
    manifest: {
      id: 'sign',
      label: 'Sign',
      settings: [
        { id: 'text', type: 'text', label: 'Text', default: 'Cafe\u0301' },
        { id: 'constructor', type: 'text', label: 'Constructor' },
      ],
      products: [{ sku: 'sign', label: 'Sign', roles: [] }],
      apps: [signApp],
    },
  },
})
const server = await testServer({ extensionsFolder })
const { given, db } = server
const calls = {
  ...rootExtensionSettingsEndpoints,
  ...extensionSettingsEndpoints,
  ...ownExtensionSettingsEndpoints,
}
const root = await given.person({ isRoot: true })
const owner = await given.person()
const member = await given.person()
const { projectId } = await given.project(owner, {
  products: ['heat'],
  grants: [{ person: member, productRole: 'heat/user' }],
})
const place = { projectId, name: 'heat' }
const values = async (by = owner) =>
  (await by.call(calls.values, { params: { app: 'heat' }, query: { project: projectId } })).body.values
const stored = (json: object) =>
  sql`insert into extension_settings (extension, project_id, "values")
      values ('heat', ${projectId}, ${JSON.stringify(json)}::jsonb)
      on conflict (extension, project_id, person_id) do update set "values" = excluded."values"`.execute(db)

test('settings of a project have defaults, change with a revision and an audit row, and reach the app', async () => {
  const { body } = await owner.call(calls.ofProject, { params: { projectId } })
  expect(body.items).toMatchObject([
    {
      _id: 'heat',
      revision: 0,
      fields: [{ id: 'limit', default: 40, value: null, misfit: null }, { id: 'unit' }],
    },
  ])
  expect(await values()).toEqual({ limit: 40, unit: 'celsius', sound: false })
  const saved = await owner.call(calls.changeProject, {
    params: place,
    body: { values: { limit: 50 } },
    headers: { 'if-match': '"0"' },
  })
  expect(saved.body).toMatchObject({ revision: 1, updatedBy: { _id: owner.personId } })
  expect(await values(member)).toMatchObject({ limit: 50 })
  const late = await owner.call(calls.changeProject, {
    params: place,
    body: { values: { limit: 9 } },
    headers: { 'if-match': '"0"' },
  })
  expect(late.status).toBe(409)
  const { rows } = await sql<{ detail: object }>`
    select detail from audit where event = 'extension.settings-changed' and project_id = ${projectId}`.execute(
    db,
  )
  expect(rows).toEqual([
    { detail: { scope: 'project', values: { limit: 50 }, from: { values: { limit: null } } } },
  ])
})

test.each([
  ['a number beyond its bounds', { limit: 121 }],
  ['a text for a number', { limit: 'warm' }],
  ['a choice that does not exist', { unit: 'kelvin' }],
  ['a setting of another scope', { sound: true }],
  ['an unknown setting', { colour: 'red' }],
])('%s is refused at its field', async (_what, sent) => {
  const { status, body } = await owner.call(calls.changeProject, { params: place, body: { values: sent } })
  expect([status, (body as { issues?: { path: unknown }[] }).issues?.[0]?.path]).toEqual([
    400,
    Object.keys(sent),
  ])
})

test('a value that no longer fits is shown with the reason, replaced by the default, and kept until it is saved', async () => {
  await stored({ limit: 'warm', unit: 'kelvin', gone: 7 })
  const { body } = await owner.call(calls.ofProject, { params: { projectId } })
  expect(body.items[0]?.fields).toMatchObject([
    { id: 'limit', value: 'warm', misfit: 'type' },
    { id: 'unit', value: 'kelvin', misfit: 'choice' },
  ])
  expect(await values()).toMatchObject({ limit: 40, unit: 'celsius' })
  await owner.call(calls.changeProject, { params: place, body: { values: { limit: 20 } } })
  const { rows } = await sql<{ values: object }>`
    select "values" from extension_settings where project_id = ${projectId}`.execute(db)
  expect(rows[0]?.values).toEqual({ limit: 20, unit: 'kelvin', gone: 7 })
})

/** TypeScript gives every object a `constructor`. */
const changes = (changed: Record<string, string>) => changed

test('a setting called constructor is unset until a user sets it, and is logged only when it changes', async () => {
  const own = await given.project(owner, { products: ['sign'] })
  const params = { projectId: own.projectId, name: 'sign' }
  const field = async () => {
    const { body } = await owner.call(calls.ofProject, { params: own })
    return body.items[0]?.fields.find(({ id }) => id === 'constructor')
  }
  const used = async () =>
    (await owner.call(calls.values, { params: { app: 'sign' }, query: { project: own.projectId } })).body
      .values
  expect(await field()).toMatchObject({ isSet: false, value: null, misfit: null })
  expect(await used()).toEqual({ text: 'Café', constructor: null })
  expect(
    await owner.call(calls.changeProject, { params, body: { values: changes({ text: 'Open' }) } }),
  ).toSucceed()
  expect(await field()).toMatchObject({ isSet: false, misfit: null })
  const body = { values: changes({ constructor: 'Steel' }) }
  expect(await owner.call(calls.changeProject, { params, body })).toSucceed()
  expect(await field()).toMatchObject({ isSet: true, value: 'Steel', misfit: null })
  expect(await used()).toEqual({ text: 'Open', constructor: 'Steel' })
  const { rows } = await sql<{ values: object }>`
    select detail -> 'values' as "values" from audit
    where event = 'extension.settings-changed' and project_id = ${own.projectId} order by id`.execute(db)
  expect(rows.map((row) => row.values)).toEqual([
    changes({ text: 'Open' }),
    changes({ constructor: 'Steel' }),
  ])
})

test('a text and its default are normalised like the contract’s texts of several lines', async () => {
  const sign = await given.project(owner, { products: ['sign'] })
  const text = async () => {
    const call = { params: { app: 'sign' }, query: { project: sign.projectId } }
    return (await owner.call(calls.values, call)).body.values['text']
  }
  expect(await text()).toBe('Café')
  const saved = await owner.call(calls.changeProject, {
    params: { projectId: sign.projectId, name: 'sign' },
    body: { values: { text: 'Cafe\u0301\r\nHall\u200b 7\0' } },
  })
  expect(saved).toSucceed()
  expect(await text()).toBe('Café\nHall 7')
  const { rows } = await sql<{ detail: object }>`
    select detail from audit where event = 'extension.settings-changed' and project_id = ${sign.projectId}`.execute(
    db,
  )
  expect(rows).toMatchObject([{ detail: { values: { text: 'Café\nHall 7' } } }])
})

test('settings of a person are separate from those of other users', async () => {
  const query = { project: projectId }
  await member.call(calls.changePerson, {
    params: { name: 'heat' },
    query,
    body: { values: { sound: true } },
  })
  expect((await values(member))['sound']).toBe(true)
  expect((await values(owner))['sound']).toBe(false)
  const stranger = await given.person()
  expect((await stranger.call(calls.ofPerson)).body.items).toEqual([])
  const foreign = await stranger.call(calls.changePerson, { params: { name: 'heat' }, body: { values: {} } })
  expect(foreign.status).toBe(404)
})

test('a secret is sealed, never sent back, absent from the audit log, and reaches the service alone', async () => {
  const received: (string | undefined)[] = []
  const service = createServer((request, response) => {
    received.push(request.headers[settingsHeader] as string | undefined)
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening))
  afterAll(() => void service.close())
  const address = service.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  await root.call(rootExtensionEndpoints.setBackend, { params: { name: 'heat' }, body: { url } })

  const { body } = await root.call(calls.changeInstallation, {
    params: { name: 'heat' },
    body: { values: { key: 'moth-in-relay-70' } },
  })
  expect(body.fields).toMatchObject([{ id: 'key', value: null, isSet: true, misfit: null }])
  expect(await values()).not.toHaveProperty('key')
  const { rows } = await sql<{ text: string }>`
    select "values"::text as text from extension_settings
    union all select detail::text from audit`.execute(db)
  expect(rows.map(({ text }) => text).join('')).not.toContain('moth')
  await fetch(`${server.url}/api/apps/heat/now`, {
    headers: {
      authorization: `Bearer ${await owner.openSession()}`,
      [projectHeader]: projectId,
      [settingsHeader]: 'forged',
    },
  })
  expect(JSON.parse(Buffer.from(received[0] ?? '', 'base64url').toString())).toMatchObject({
    key: 'moth-in-relay-70',
    limit: 20,
  })
})
