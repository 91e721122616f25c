import {
  type Endpoint,
  organisationEndpoints,
  projectEndpoints,
  rootGrantEndpoints,
  tokenLinkEndpoints,
} from '@pult/contract'
import { callEndpoint, type GivenPerson, openMailbox, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

/*
 * All calls that change an organisation, a membership, a project, a grant or an invitation, with the audit rows that
 * each must write. The table is written by hand, in an order in which each call finds its records. The last test
 * fails if the table lacks a call.
 */

const mailbox = await openMailbox()
const server = await testServer({ settings: { SMTP_URL: mailbox.url } })
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

/** Ids that the previous calls returned. */
const made = { orgId: '', projectId: '', grantId: '', invitationId: '', token: '', personId: ada.personId }
const place = () => ({ org: `organisation:${made.orgId}`, project: `project:${made.projectId}` })

interface Row {
  event: string
  target: string
  /** The caller, unless the call registers an account. */
  actor?: unknown
  project?: string
  detail: object
}
interface Step {
  endpoint: Endpoint
  by: GivenPerson | undefined
  /** A user whose call is refused; undefined if every user may make it. */
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
/** The invitation before the latest one. */
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
    endpoint: rootGrantEndpoints.setRoles,
    by: root,
    refused: owner,
    body: () => ({ productRoles: [operator.productRole] }),
    rows: () => [ofGrant('grant.added', operator)],
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

/** Calls without an effect on these records. */
const silent: Endpoint[] = [projects.verify, projects.setDefault]

const known = new Set<string>()
/** Returns the rows that were added since the last call. */
async function newRows() {
  const rows = await db.selectFrom('audit').selectAll().orderBy('id').execute()
  const fresh = rows.filter(({ id }) => !known.has(id))
  for (const { id } of fresh) known.add(id)
  return fresh
}

const routeOf = ({ method, path }: Endpoint) => `${method} ${path}`

test('RULE-78 changes of organisations, members, projects, grants and invitations are audited, refused ones are not', async () => {
  await newRows()
  for (const { endpoint, by, refused, body, rows } of steps) {
    const call = (person: GivenPerson | undefined, content = body?.() ?? {}) => {
      // The last step removes the owner from the members.
      const params = endpoint === orgs.removeMember ? { ...made, personId: owner.personId } : made
      return callEndpoint(server.url, person?.token, endpoint, { params, body: content })
    }
    const name = routeOf(endpoint)

    // A registration is refused for missing fields, every other call for its caller.
    const refusal = await call(refused, by === undefined ? {} : undefined)
    expect([name, refusal.status]).toEqual([name, expect.toSatisfy((status: number) => status >= 400)])
    expect([name, (await newRows()).filter(({ result }) => result === 'success')]).toEqual([name, []])

    const answer = await call(by)
    expect([name, answer.code]).toEqual([name, undefined])
    await note(endpoint, answer.body)
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

/** Stores the ids that a call returned. */
async function note(endpoint: Endpoint, body: unknown): Promise<void> {
  const {
    _id = '',
    invitation,
    items = [],
  } = body as {
    _id?: string
    items?: { _id: string }[]
    invitation?: { _id: string; email: string }
  }
  if (endpoint === orgs.create) made.orgId = _id
  if (endpoint === projects.create) made.projectId = _id
  if (endpoint === rootGrantEndpoints.add) made.grantId = _id
  if (endpoint === rootGrantEndpoints.setRoles) made.grantId = items[0]?._id ?? ''
  if (invitation !== undefined) {
    replaced = made.invitationId
    made.invitationId = invitation._id
    const { link } = await mailbox.take(invitation.email)
    made.token = link.split('/bift/')[1] ?? ''
    server.watchSecret(made.token)
  }
}

test('RULE-78 a call that changes nothing writes no audit row', async () => {
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

test('RULE-78 the table contains each call that changes organisations, projects and grants', () => {
  const isCovered =
    /^\/(?:orgs|projects|apps\/root\/projects)(?!.*\/(?:notes|store|media|export|import|invite-batch|edges|edge-updates|edge-tags|edge-groups|edge-keys|edge-requests|edge-jobs|edge-job-preview|edge-schedules|access-requests|extension-settings))(?:\/|$)/
  const there = server.app.http.routeTable
    .map(({ endpoint }) => endpoint)
    .filter(({ method, path }) => method !== 'GET' && isCovered.test(path))
    .map(routeOf)
  const listed = [...steps.map(({ endpoint }) => endpoint), ...silent].map(routeOf)
  expect(new Set(listed)).toEqual(new Set([...there, routeOf(redeem)]))
})
