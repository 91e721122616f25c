import { type EffectiveAccess, projectEndpoints } from '@pult/contract'
import { extensionFolder, type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'

const app = (id: string, more: object) => ({
  id,
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
  label: `App ${id}`,
  icon: 'box',
  productSku: 'reporting',
  ...more,
})
const manifest = {
  id: 'reports',
  version: '1.0.0',
  label: 'Reports',
  products: [
    {
      sku: 'reporting',
      label: 'Reporting',
      roles: [
        { id: 'reader', label: 'Reader', roles: ['reports'] },
        { id: 'exporter', label: 'Exporter', roles: ['reports', 'reports:export'] },
        { id: 'lost', label: 'Export without the app', roles: ['reports:export'] },
      ],
    },
    { sku: 'other', label: 'Other', roles: [{ id: 'reader', label: 'Reader', roles: ['reports'] }] },
  ],
  apps: [
    app('reports', {
      role: 'reports',
      tabs: [
        { id: 'all', label: 'All' },
        { id: 'export', label: 'Export', role: 'export' },
      ],
    }),
    app('open', {}),
    app('admin', { productSku: 'root' }),
  ],
}
const server = await testServer({ extensionsFolder: await extensionFolder({ reports: { manifest } }) })
const { given, db } = server

let owner: GivenPerson
let orgOwner: GivenPerson
let member: GivenPerson
let reader: GivenPerson
let exporter: GivenPerson
let lost: GivenPerson
let waiting: GivenPerson
let foreign: GivenPerson
let root: GivenPerson
let projectId: string

beforeEach(async () => {
  const make = (firstname: string, isRoot = false) => given.person({ firstname, isRoot })
  owner = await make('Olga')
  orgOwner = await make('Orla')
  member = await make('Mia')
  reader = await make('Rea')
  exporter = await make('Exa')
  lost = await make('Lou')
  waiting = await make('Wim')
  foreign = await make('Stan')
  root = await make('Ruth', true)
  const org = await given.organisation(orgOwner, { label: 'Messe Nord', members: [owner, member] })
  const made = await given.project(owner, {
    label: 'Hall',
    org,
    products: ['reporting'],
    grants: [
      { person: reader, productRole: 'reporting/reader' },
      { person: exporter, productRole: 'reporting/exporter' },
      { person: lost, productRole: 'reporting/lost' },
      { person: waiting, productRole: null },
      { person: waiting, productRole: 'other/reader' },
    ],
  })
  projectId = made.projectId
})

const ask = (about: GivenPerson, query: { app?: string; tab?: string } = {}, by = root) =>
  by.call(projectEndpoints.access, { params: { projectId, personId: about.personId }, query })

/** Returns 'allowed', or the step that denies access. */
const outcome = ({ allowed, steps }: EffectiveAccess) =>
  allowed ? 'allowed' : `ends at ${steps.find((step) => !step.allowed)?.level}`

test('DEC-14 DEC-15 DEC-19 effective access is correct for every source of access, for project, app and tab', async () => {
  const questions = [
    {},
    { app: 'open' },
    { app: 'reports' },
    { app: 'reports', tab: 'all' },
    { app: 'reports', tab: 'export' },
    { app: 'reports', tab: 'none' },
    { app: 'admin' },
    { app: 'none' },
  ]
  const [yes, app_, tab, project, product] = [
    'allowed',
    'ends at app',
    'ends at tab',
    'ends at project',
    'ends at product',
  ]
  for (const [who, person, expected] of [
    //                           see, open, reports, all, export, no tab, root app, no app
    ['root', root, [yes, yes, yes, yes, yes, tab, yes, app_]],
    ['owner', owner, [yes, yes, yes, yes, yes, tab, product, app_]],
    ['organisation’s owner', orgOwner, [yes, yes, app_, app_, app_, app_, product, app_]],
    ['member', member, [project, project, project, project, project, project, project, project]],
    ['reader', reader, [yes, yes, yes, yes, tab, tab, product, app_]],
    ['exporter', exporter, [yes, yes, yes, yes, yes, tab, product, app_]],
    ['a tab’s role alone', lost, [yes, yes, app_, app_, app_, app_, product, app_]],
    ['no role that counts', waiting, [yes, yes, app_, app_, app_, app_, product, app_]],
    ['foreign', foreign, [project, project, project, project, project, project, project, project]],
  ] as const) {
    const outcomes = await Promise.all(
      questions.map(async (question) => outcome((await ask(person, question)).body)),
    )
    expect([who, outcomes]).toEqual([who, expected])
  }
})

test('DEC-15 effective access is explained step by step from the person to the tab', async () => {
  expect((await ask(exporter, { app: 'reports', tab: 'export' })).body).toEqual({
    allowed: true,
    steps: [
      { level: 'person', name: 'Exa Lovelace', allowed: true, reason: 'The account is active.' },
      {
        level: 'organisation',
        name: 'Messe Nord',
        allowed: true,
        reason: 'Only the organisation’s owner can see its projects this way.',
      },
      { level: 'project', name: 'Hall', allowed: true, reason: 'The person holds a grant.' },
      { level: 'product', name: 'reporting', allowed: true, reason: 'The project uses the product.' },
      {
        level: 'app',
        name: 'App reports',
        allowed: true,
        reason: 'The role reports comes from reporting/exporter.',
      },
      {
        level: 'tab',
        name: 'Export',
        allowed: true,
        reason: 'The role reports:export comes from reporting/exporter.',
      },
    ],
    scope: [`p-${projectId}/r-reports`, `p-${projectId}/r-reports:export`],
  })
  const refused = (await ask(reader, { app: 'reports', tab: 'export' })).body
  expect(refused.allowed).toBe(false)
  expect(refused.steps.at(-1)).toEqual({
    level: 'tab',
    name: 'Export',
    allowed: false,
    reason: 'The role reports:export is missing; the person holds reporting/reader.',
  })
  expect((await ask(waiting, { app: 'reports' })).body).toMatchObject({ scope: [] })
  expect((await ask(orgOwner)).body.steps[1]?.reason).toBe(
    'The person owns the organisation and can therefore see and edit its projects.',
  )
})

test('DEC-15 the explanation includes a lost product and a disabled account', async () => {
  await db
    .updateTable('project')
    .set({ products: [], organisation_id: null })
    .where('id', '=', projectId)
    .execute()
  const { steps, scope } = (await ask(exporter, { app: 'reports' })).body
  expect(steps.map(({ level, allowed }) => [level, allowed])).toEqual([
    ['person', true],
    ['project', true],
    ['product', false],
    ['app', false],
  ])
  expect(scope).toEqual([])
  expect(outcome((await ask(owner, { app: 'reports' })).body)).toBe('ends at product')
  expect(outcome((await ask(orgOwner)).body)).toBe('ends at project')

  await db
    .updateTable('person')
    .set({ disabled_at: sql<Date>`now()` })
    .where('id', '=', owner.personId)
    .execute()
  expect(outcome((await ask(owner)).body)).toBe('ends at person')
})

test('DEC-14 RULE-51 editors of a project may ask about users related to it, and root may ask about any user', async () => {
  for (const by of [owner, orgOwner]) {
    for (const about of [reader, waiting, member, owner, orgOwner]) {
      expect(await ask(about, {}, by)).toSucceed()
    }
    expect(await ask(foreign, {}, by)).toFailWith('NOT_FOUND')
  }
  expect(await ask(foreign)).toSucceed()
  expect(await ask(reader, {}, reader)).toFailWith('FORBIDDEN')
  expect(await ask(reader, {}, member)).toFailWith('NOT_FOUND')
  const unknown = { params: { projectId, personId: '018f0000-0000-7000-8000-000000000000' } }
  expect(await root.call(projectEndpoints.access, unknown)).toFailWith('NOT_FOUND')
})
