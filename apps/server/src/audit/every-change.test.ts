import {
  type Endpoint,
  organisationEndpoints,
  projectEndpoints,
  rootGrantEndpoints,
  tokenLinkEndpoints,
} from '@pult/contract'
import { callEndpoint, type GivenPerson, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

/*
 * Every call that changes an organisation, a membership, a project, a grant or an invitation, and the rows it leaves:
 * written by hand, in an order in which each finds what it needs. A call that the list lacks fails the last test.
 */

const server = await testServer()
const { given, db } = server

const owner = await given.person({ firstname: 'Olga' })
const ada = await given.person()
const stranger = await given.person({ firstname: 'Stan' })
const root = await given.person({ firstname: 'Ruth', isRoot: true })

const orgs = organisationEndpoints
const projects = projectEndpoints
const { redeem } = tokenLinkEndpoints
const newcomer = 'grace@example.org'
const registration = { firstname: 'Grace', lastname: 'Hopper', password: 'a moth in relay 70' }

/** What the calls before have made. */
const made = { orgId: '', projectId: '', grantId: '', invitationId: '', token: '', personId: ada.personId }
const place = () => ({ org: `organisation:${made.orgId}`, project: `project:${made.projectId}` })

interface Row {
  event: string
  target: string
  /** The one who calls, unless the call registers somebody. */
  actor?: unknown
  project?: string
  detail: object
}
interface Step {
  endpoint: Endpoint
  by: GivenPerson | undefined
  /** Somebody who is refused; where everybody may, nobody. */
  refused: GivenPerson | undefined
  body?: () => object
  rows: () => Row[]
}

const registered = expect.stringMatching(/^[0-9a-f-]{36}$/) as string
const inOrg = (event: string, detail: object): Row => ({ event, target: made.orgId, detail })
const inProject = (event: string, detail: object): Row => ({
  event,
  target: made.projectId,
  project: made.projectId,
  detail,
})
const ofGrant = (event: string, detail: object): Row => ({
  event,
  target: ada.personId,
  project: made.projectId,
  detail: { grant: made.grantId, ...detail },
})
const ofInvitation = (event: string, to: 'org' | 'project', target: string, detail: object = {}): Row => ({
  event,
  target,
  ...(to === 'project' && { project: made.projectId }),
  detail: { link: made.invitationId, to: place()[to], ...detail },
})

const viewer = { productRole: 'project/viewer' }
const operator = { productRole: 'project/operator' }
const invite = { email: ada.email }
/** The invitation that was sent before the last one. */
let replaced = ''

const steps: Step[] = [
  {
    endpoint: orgs.create,
    by: owner,
    refused: undefined,
    body: () => ({ label: 'Messe' }),
    rows: () => [inOrg('organisation.created', { label: 'Messe' })],
  },
  {
    endpoint: orgs.update,
    by: owner,
    refused: stranger,
    body: () => ({ label: 'Messe Nord' }),
    rows: () => [inOrg('organisation.changed', { label: 'Messe Nord', from: { label: 'Messe' } })],
  },
  {
    endpoint: orgs.invite,
    by: owner,
    refused: stranger,
    body: () => invite,
    rows: () => [ofInvitation('invitation.created', 'org', ada.email)],
  },
  {
    endpoint: orgs.resendInvitation,
    by: owner,
    refused: stranger,
    rows: () => [ofInvitation('invitation.created', 'org', ada.email, { replaces: replaced })],
  },
  {
    endpoint: orgs.revokeInvitation,
    by: owner,
    refused: stranger,
    rows: () => [ofInvitation('invitation.revoked', 'org', ada.email)],
  },
  {
    endpoint: orgs.invite,
    by: owner,
    refused: stranger,
    body: () => invite,
    rows: () => [ofInvitation('invitation.created', 'org', ada.email)],
  },
  {
    endpoint: redeem,
    by: ada,
    refused: stranger,
    rows: () => [
      inOrg('membership.added', { person: ada.personId }),
      ofInvitation('invitation.redeemed', 'org', ada.personId, { invitedBy: owner.personId, isRoot: false }),
    ],
  },
  {
    endpoint: projects.create,
    by: owner,
    refused: undefined,
    body: () => ({ label: 'Hall', org: made.orgId }),
    rows: () => [inProject('project.created', { label: 'Hall', org: made.orgId })],
  },
  {
    endpoint: projects.update,
    by: owner,
    refused: stranger,
    body: () => ({
      label: 'Hall 7',
      org: null,
      meta: { customer: 'ACME' },
      config: { consoleColor: '#123' },
    }),
    rows: () => [
      inProject('project.changed', {
        label: 'Hall 7',
        org: null,
        meta: { customer: 'ACME' },
        config: { consoleColor: '#123' },
        from: {
          label: 'Hall',
          org: made.orgId,
          meta: { customer: '' },
          config: { consoleColor: '#444' },
        },
      }),
    ],
  },
  {
    endpoint: rootGrantEndpoints.add,
    by: root,
    refused: owner,
    body: () => ({ user: ada.personId }),
    rows: () => [ofGrant('grant.added', { productRole: null })],
  },
  {
    endpoint: rootGrantEndpoints.update,
    by: root,
    refused: owner,
    body: () => viewer,
    rows: () => [ofGrant('grant.changed', { ...viewer, from: null })],
  },
  {
    endpoint: projects.changeProductRole,
    by: owner,
    refused: ada,
    body: () => operator,
    rows: () => [ofGrant('grant.changed', { ...operator, from: viewer.productRole })],
  },
  {
    endpoint: rootGrantEndpoints.remove,
    by: root,
    refused: owner,
    rows: () => [ofGrant('grant.removed', operator)],
  },
  {
    endpoint: projects.invite,
    by: owner,
    refused: stranger,
    body: () => ({ email: newcomer, ...viewer }),
    rows: () => [ofInvitation('invitation.created', 'project', newcomer, viewer)],
  },
  {
    endpoint: projects.resendInvitation,
    by: owner,
    refused: stranger,
    rows: () => [ofInvitation('invitation.created', 'project', newcomer, { ...viewer, replaces: replaced })],
  },
  {
    endpoint: projects.revokeInvitation,
    by: owner,
    refused: stranger,
    rows: () => [ofInvitation('invitation.revoked', 'project', newcomer)],
  },
  {
    endpoint: projects.invite,
    by: owner,
    refused: stranger,
    body: () => ({ email: newcomer, ...viewer }),
    rows: () => [ofInvitation('invitation.created', 'project', newcomer, viewer)],
  },
  {
    endpoint: redeem,
    by: undefined,
    refused: undefined,
    body: () => registration,
    rows: () => [
      {
        event: 'grant.added',
        actor: registered,
        target: registered,
        project: made.projectId,
        detail: { grant: registered, ...viewer },
      },
      {
        ...ofInvitation('invitation.redeemed', 'project', registered, {
          invitedBy: owner.personId,
          isRoot: false,
        }),
        actor: registered,
      },
    ],
  },
  {
    endpoint: orgs.update,
    by: root,
    refused: ada,
    body: () => ({ owner: ada.personId }),
    rows: () => [inOrg('organisation.changed', { owner: ada.personId, from: { owner: owner.personId } })],
  },
  {
    endpoint: projects.remove,
    by: owner,
    refused: stranger,
    rows: () => [inProject('project.removed', { label: 'Hall 7' })],
  },
  {
    endpoint: orgs.removeMember,
    by: ada,
    refused: stranger,
    rows: () => [inOrg('membership.removed', { person: owner.personId })],
  },
  {
    endpoint: orgs.remove,
    by: ada,
    refused: stranger,
    rows: () => [inOrg('organisation.removed', { label: 'Messe Nord' })],
  },
]

/** They change nothing of these things. */
const silent: Endpoint[] = [projects.verify, projects.setDefault]

const known = new Set<string>()
/** The rows that were not there when this was asked before. */
async function newRows() {
  const rows = await db.selectFrom('audit').selectAll().orderBy('id').execute()
  const fresh = rows.filter(({ id }) => !known.has(id))
  for (const { id } of fresh) known.add(id)
  return fresh
}

const routeOf = ({ method, path }: Endpoint) => `${method} ${path}`

test('RULE-78 every change of an organisation, a membership, a project, a grant or an invitation leaves its row, a refused one none', async () => {
  await newRows()
  for (const { endpoint, by, refused, body, rows } of steps) {
    const call = (person: GivenPerson | undefined, content = body?.() ?? {}) => {
      // The owner is the member who is taken out in the end.
      const params = endpoint === orgs.removeMember ? { ...made, personId: owner.personId } : made
      return callEndpoint(server.url, person?.token, endpoint, { params, body: content })
    }
    const name = routeOf(endpoint)

    // A registration is refused for what it lacks, everything else for who asks.
    const refusal = await call(refused, by === undefined ? {} : undefined)
    expect([name, refusal.status]).toEqual([name, expect.toSatisfy((status: number) => status >= 400)])
    expect([name, (await newRows()).filter(({ result }) => result === 'success')]).toEqual([name, []])

    const answer = await call(by)
    expect([name, answer.code]).toEqual([name, undefined])
    note(endpoint, answer.body)
    expect([name, await newRows()]).toEqual([
      name,
      rows().map(({ event, actor = by?.personId, target, project = null, detail }) => ({
        id: expect.any(String),
        at: expect.any(Date),
        event,
        result: 'success',
        actor_id: actor,
        target,
        project_id: project,
        address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
        detail,
      })),
    ])
  }
})

/** Remembers what a call has made. */
function note(endpoint: Endpoint, body: unknown): void {
  const {
    _id = '',
    invitation,
    link,
  } = body as {
    _id?: string
    invitation?: { _id: string }
    link?: string
  }
  if (endpoint === orgs.create) made.orgId = _id
  if (endpoint === projects.create) made.projectId = _id
  if (endpoint === rootGrantEndpoints.add) made.grantId = _id
  if (invitation !== undefined) {
    replaced = made.invitationId
    made.invitationId = invitation._id
    made.token = link?.split('/bift/')[1] ?? ''
    server.watchSecret(made.token)
  }
}

test('RULE-78 what changes nothing leaves no row', async () => {
  const { orgId } = await given.organisation(owner, { label: 'Same' })
  const { projectId, grantIds } = await given.project(owner, {
    label: 'Same',
    grants: [{ person: ada, ...viewer }],
  })
  await newRows()
  const body = { label: 'Same' }
  const params = { projectId }
  expect(await owner.call(orgs.update, { params: { orgId }, body })).toSucceed()
  expect(await owner.call(projects.update, { params, body })).toSucceed()
  expect(
    await owner.call(projects.changeProductRole, {
      params: { projectId, grantId: grantIds[0] ?? '' },
      body: viewer,
    }),
  ).toSucceed()
  expect(await owner.call(projects.verify, { params })).toSucceed()
  expect(await owner.call(projects.setDefault, { params })).toSucceed()
  expect(await newRows()).toEqual([])
})

test('RULE-78 every call that changes something of organisations, projects and grants stands in the list', () => {
  const isCovered =
    /^\/(?:orgs|projects|apps\/root\/projects)(?!.*\/(?:notes|store|media|export|import|invite-batch|edges))(?:\/|$)/
  const there = server.app.http.routeTable
    .map(({ endpoint }) => endpoint)
    .filter(({ method, path }) => method !== 'GET' && isCovered.test(path))
    .map(routeOf)
  const listed = [...steps.map(({ endpoint }) => endpoint), ...silent].map(routeOf)
  expect(new Set(listed)).toEqual(new Set([...there, routeOf(redeem)]))
})
