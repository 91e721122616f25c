import * as contract from '@pult/contract'
import { apiBase, type Endpoint, usualEdgeUpdatePolicy } from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'
import { someReport } from '../edges/testing/virtual-agent.ts'

/*
 * RULE-15 by effect: a call that runs something on several machines, gives rights, or deletes for many needs a recent
 * sign-in. The two tables list the decision for each changing call. They are written by hand and not from the code. A
 * new call belongs into one of them: into `asking` with the call that asks, or into `silent` with the reason.
 */

const server = await testServer()
const { given, db } = server

const root = await given.person({ isRoot: true })
const owner = await given.person()
const { orgId } = await given.organisation(owner)
const { projectId, grantIds } = await given.project(owner, {
  products: ['project', 'edges', 'media-library'],
  grants: [{ person: await given.person(), productRole: 'project/viewer' }],
})
const grantId = grantIds[0] ?? ''
const report = someReport({ commands: [] })
const edges = await Promise.all(
  ['Gate 1', 'Gate 2'].map((label) => given.edge(projectId, { label, state: 'offline', report })),
)
const [edgeId = ''] = edges
const [id, email] = [uuidv7(), 'new@example.org']
const ofProject = { projectId }
const ofOrganisation = { orgId }
const ofEdge = { projectId, edgeId }
const ofDeck = { ...ofEdge, serial: 'AL01', page: '0' }

const command = { name: 'diagnostics' as const }
const both = { command, target: { edges } }
const one = { command, target: { edges: [edgeId] } }

/** Creates an ended job that has failed on some edges. */
async function failedJob(target: {
  edges: readonly string[]
}): Promise<{ projectId: string; jobId: string }> {
  const { body } = await owner.call(contract.edgeJobEndpoints.start, {
    params: ofProject,
    body: { command, target },
  })
  await sql`update edge_job_line set state = 'failed', ended_at = now() where job_id = ${body._id}`.execute(
    db,
  )
  await sql`update edge_job set ended_at = now() where id = ${body._id}`.execute(db)
  return { projectId, jobId: body._id }
}

async function failedTask(type: string): Promise<{ projectId: string; taskId: string }> {
  const taskId = uuidv7()
  await sql`insert into task (id, project_id, type, kind, title, state, lease_for, created_by, lease_until, deadline_at, fulfilled_at, payload, retry_until)
    values (${taskId}, ${projectId}, ${type}, 'info', 'Task', 'rejected', '1 hour', ${owner.personId}, now(), now(), now(), '{"without": []}', now() + interval '1 hour')`.execute(
    db,
  )
  return { projectId, taskId }
}

const invited = await Promise.all([
  owner.call(contract.organisationEndpoints.invite, { params: ofOrganisation, body: { email } }),
  owner.call(contract.projectEndpoints.invite, {
    params: ofProject,
    body: { email, productRole: 'project/viewer' },
  }),
])
const [toOrganisation = '', toProject = ''] = invited.map(({ body }) => body.invitation._id)
const group = await owner.call(contract.edgeGroupEndpoints.create, {
  params: ofProject,
  body: { label: 'Gates', rule: { allTags: ['Gate'] } },
})
const night = { label: 'Night', command, group: group.body._id, cron: '0 3 * * *', timeZone: 'UTC' }
const schedule = await owner.call(contract.edgeScheduleEndpoints.create, { params: ofProject, body: night })
const [ofGroup, ofSchedule] = [group, schedule].map(({ body }) => ({ projectId, itemId: body._id }))
const [ofFailedJob, ofJobThatFailedOnce] = [await failedJob({ edges }), await failedJob(one.target)]
const ofFailedExport = await failedTask('project-export')

type Params = Record<string, string> | undefined
/** A call that asks, and for a call that asks only sometimes the body or parameters that do not. */
interface Asking {
  endpoint: Endpoint
  /** By default ids of nothing: the permission asks before the room looks for the record. */
  params?: Params
  body?: object
  otherwise?: { params?: Params; body?: object }
}

const {
  accessRequestEndpoints,
  auditEndpoints,
  backupEndpoints,
  conditionEndpoints,
  confirmEndpoints,
  edgeDeckEndpoints,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeGroupEndpoints,
  edgeJobEndpoints,
  edgeKeyEndpoints,
  edgeProgramEndpoints,
  edgeRequestEndpoints,
  edgeScheduleEndpoints,
  edgeTagEndpoints,
  edgeUpdateEndpoints,
  emailEndpoints,
  extensionSettingsEndpoints,
  fileEndpoints,
  loginEndpoints,
  mediaEndpoints,
  noteEndpoints,
  organisationEndpoints,
  otpEndpoints,
  ownEdgeDeckEndpoints,
  ownExtensionSettingsEndpoints,
  ownSessionEndpoints,
  passkeyEndpoints,
  passkeyLoginEndpoints,
  passwordEndpoints,
  profileEndpoints,
  projectEndpoints,
  projectTaskEndpoints,
  recoveryEndpoints,
  retentionEndpoints,
  rootExtensionEndpoints,
  rootExtensionSettingsEndpoints,
  rootGrantEndpoints,
  rootPeopleEndpoints,
  rootSessionEndpoints,
  sessionEndpoints,
  settingsEndpoints,
  setupEndpoints,
  storeEndpoints,
  streamDeckEndpoints,
  taskDriverEndpoints,
  taskEndpoints,
  taskTokenEndpoints,
  tokenLinkEndpoints,
} = contract

const label = { label: 'Other' }
const passwords = { oldPass: 'not it at all', newPass: 'seven storks on the roof' }

const asking: Asking[] = [
  // Runs on several machines.
  { endpoint: edgeJobEndpoints.start, params: ofProject, body: both, otherwise: { body: one } },
  { endpoint: edgeJobEndpoints.retry, params: ofFailedJob, otherwise: { params: ofJobThatFailedOnce } },
  { endpoint: edgeScheduleEndpoints.create, params: ofProject, body: night },
  ...[{ label: 'Night 2' }, { cron: '0 4 * * *' }, { command: { name: 'restart' } }, { stopPercent: 50 }].map(
    (body) => ({
      endpoint: edgeScheduleEndpoints.update,
      params: ofSchedule,
      body,
      otherwise: { body: { isPaused: true } },
    }),
  ),
  {
    endpoint: edgeGroupEndpoints.update,
    params: ofGroup,
    body: { rule: {} },
    otherwise: { body: { label: 'All gates', rule: { allTags: ['Gate'] } } },
  },
  {
    endpoint: edgeUpdateEndpoints.update,
    params: ofProject,
    body: usualEdgeUpdatePolicy,
    otherwise: { body: { ...usualEdgeUpdatePolicy, mode: 'manual' } },
  },
  // Replaces the program of a machine.
  { endpoint: edgeEndpoints.updateAgent, params: ofEdge },

  // Makes a machine an edge, or takes it away.
  { endpoint: edgeEndpoints.enrol, params: ofProject, body: label },
  { endpoint: edgeEndpoints.newCode, params: ofEdge },
  { endpoint: edgeEndpoints.move, params: ofEdge, body: { project: projectId } },
  { endpoint: edgeEndpoints.remove, params: ofEdge },
  { endpoint: edgeKeyEndpoints.create, params: ofProject, body: label },
  {
    endpoint: edgeRequestEndpoints.decide,
    params: ofProject,
    body: { decision: 'approve', requests: [id] },
    otherwise: { body: { decision: 'refuse', requests: [id] } },
  },

  // Gives rights.
  ...[{ account: owner.personId }, { isLocked: false }].map((body) => ({
    endpoint: edgeDeckEndpoints.update,
    params: ofDeck,
    body,
    otherwise: { body: { account: null, isLocked: true } },
  })),
  { endpoint: ownEdgeDeckEndpoints.agree },
  { endpoint: edgeDeckEndpoints.setPage, params: ofDeck, body: { keys: [], face: null } },
  { endpoint: organisationEndpoints.invite, params: ofOrganisation, body: { email } },
  {
    endpoint: organisationEndpoints.resendInvitation,
    params: { ...ofOrganisation, invitationId: toOrganisation },
  },
  {
    endpoint: organisationEndpoints.update,
    params: ofOrganisation,
    body: { owner: id },
    otherwise: { body: label },
  },
  { endpoint: projectEndpoints.update, params: ofProject, body: { org: orgId }, otherwise: { body: label } },
  {
    endpoint: projectEndpoints.invite,
    params: ofProject,
    body: { email, productRole: 'project/viewer' },
  },
  { endpoint: projectEndpoints.resendInvitation, params: { ...ofProject, invitationId: toProject } },
  {
    endpoint: projectEndpoints.changeProductRole,
    params: { ...ofProject, grantId },
    body: { productRole: 'project/operator' },
  },
  { endpoint: projectTaskEndpoints.inviteAll, params: ofProject, body: { file: 'nothing' } },
  { endpoint: taskTokenEndpoints.create, params: ofProject, body: { label: 'Token', types: ['x'] } },
  { endpoint: rootGrantEndpoints.add },
  { endpoint: rootGrantEndpoints.update },
  { endpoint: rootGrantEndpoints.setRoles },
  { endpoint: rootGrantEndpoints.remove },
  { endpoint: rootPeopleEndpoints.update },
  { endpoint: rootPeopleEndpoints.unlock },
  { endpoint: rootPeopleEndpoints.confirmEmail },
  { endpoint: rootPeopleEndpoints.resetSecondFactor },
  { endpoint: rootPeopleEndpoints.invite },
  { endpoint: rootPeopleEndpoints.resendInvitation },
  { endpoint: rootExtensionEndpoints.enable },
  { endpoint: rootExtensionEndpoints.disable },
  { endpoint: rootExtensionEndpoints.removeVersion },

  // Deletes or overwrites for many.
  { endpoint: organisationEndpoints.remove, params: ofOrganisation },
  { endpoint: projectEndpoints.remove, params: ofProject },
  { endpoint: projectTaskEndpoints.import, params: ofProject, body: { file: 'nothing' } },
  { endpoint: noteEndpoints.removeAll, params: ofProject },
  { endpoint: mediaEndpoints.removeAll, params: ofProject },
  { endpoint: edgeGroupEndpoints.removeAll, params: ofProject },
  { endpoint: edgeScheduleEndpoints.removeAll, params: ofProject },
  { endpoint: rootPeopleEndpoints.remove },
  { endpoint: retentionEndpoints.change },

  // Takes many records out of the installation, or decides where they go.
  { endpoint: projectTaskEndpoints.export, params: ofProject, body: {} },
  { endpoint: taskEndpoints.retry, params: ofFailedExport },
  { endpoint: backupEndpoints.start },
  { endpoint: conditionEndpoints.putIntoService },
  { endpoint: rootExtensionEndpoints.setBackend },
  { endpoint: rootExtensionSettingsEndpoints.changeInstallation },
  {
    endpoint: extensionSettingsEndpoints.changeProject,
    params: { ...ofProject, name: 'hello' },
    body: { values: {} },
  },

  // Changes how the account signs in.
  {
    endpoint: passwordEndpoints.change,
    body: { newPass: passwords.newPass },
    otherwise: { body: passwords },
  },
  { endpoint: emailEndpoints.create },
  { endpoint: emailEndpoints.setDefault },
  { endpoint: passkeyEndpoints.registerResult },
  { endpoint: passkeyEndpoints.remove },
  { endpoint: otpEndpoints.init },
  { endpoint: otpEndpoints.activate },
  { endpoint: otpEndpoints.disable },
  { endpoint: otpEndpoints.renewRecoveryCodes },
]

const silent: Record<string, Endpoint[]> = {
  'is the proof itself, or has no session: a link, a code or a token is the proof': [
    confirmEndpoints.passkeyOptions,
    confirmEndpoints.confirm,
    loginEndpoints.login,
    passkeyLoginEndpoints.options,
    passkeyLoginEndpoints.verify,
    recoveryEndpoints.resetPassword,
    recoveryEndpoints.recoverOtp,
    setupEndpoints.backups,
    setupEndpoints.restore,
    tokenLinkEndpoints.redeem,
    edgeEnrolmentEndpoints.redeem,
    taskDriverEndpoints.create,
    taskDriverEndpoints.report,
    taskDriverEndpoints.reportAll,
    taskDriverEndpoints.appendLog,
    taskDriverEndpoints.fulfil,
    taskDriverEndpoints.reject,
  ],
  'ends rights or work, which must be possible immediately': [
    sessionEndpoints.logout,
    ownSessionEndpoints.end,
    ownSessionEndpoints.endOthers,
    rootPeopleEndpoints.endSessions,
    rootPeopleEndpoints.revokeInvitation,
    rootSessionEndpoints.end,
    rootSessionEndpoints.endAll,
    organisationEndpoints.removeMember,
    organisationEndpoints.revokeInvitation,
    projectEndpoints.revokeInvitation,
    accessRequestEndpoints.decline,
    taskTokenEndpoints.revoke,
    taskEndpoints.abort,
    edgeEndpoints.revoke,
    ownEdgeDeckEndpoints.withdraw,
    edgeKeyEndpoints.revoke,
    edgeJobEndpoints.cancel,
    edgeScheduleEndpoints.remove,
    // The default address, which receives the links of resets, cannot be removed.
    emailEndpoints.remove,
  ],
  'commands one machine, as a user on duty does at night': [
    edgeEndpoints.restart,
    edgeEndpoints.diagnose,
    edgeEndpoints.setDeck,
    edgeProgramEndpoints.start,
    edgeProgramEndpoints.stop,
  ],
  'describes a machine; the commands of schedules for its groups are proved': [
    edgeEndpoints.update,
    edgeEndpoints.addInstance,
    edgeEndpoints.updateInstance,
    edgeEndpoints.removeInstance,
    edgeTagEndpoints.change,
    edgeGroupEndpoints.create,
    edgeGroupEndpoints.remove,
  ],
  'changes one record, which its author can change back or create again': [
    noteEndpoints.create,
    noteEndpoints.update,
    noteEndpoints.remove,
    noteEndpoints.restore,
    noteEndpoints.exec,
    mediaEndpoints.create,
    mediaEndpoints.update,
    mediaEndpoints.remove,
    mediaEndpoints.restore,
    mediaEndpoints.exec,
    storeEndpoints.write,
    storeEndpoints.remove,
    fileEndpoints.create,
    fileEndpoints.resume,
    fileEndpoints.complete,
    fileEndpoints.link,
    fileEndpoints.remove,
  ],
  'hides ended tasks for ten minutes before it deletes them': [
    taskEndpoints.archive,
    taskEndpoints.archiveEnded,
    taskEndpoints.restore,
    taskEndpoints.restoreEnded,
  ],
  'creates a place that only the caller uses, or requests a role': [
    organisationEndpoints.create,
    projectEndpoints.create,
    accessRequestEndpoints.create,
  ],
  'concerns only the console or the mailbox of the caller': [
    projectEndpoints.setDefault,
    profileEndpoints.update,
    settingsEndpoints.update,
    streamDeckEndpoints.update,
    // Each action of a key is decided as its own call.
    streamDeckEndpoints.press,
    ownExtensionSettingsEndpoints.changePerson,
    emailEndpoints.verify,
    conditionEndpoints.testMail,
  ],
  'only counts, and changes nothing that a person has written': [contract.extensionFailureEndpoints.report],
  'changes nothing, and offers no command': [
    projectEndpoints.verify,
    edgeJobEndpoints.preview,
    edgeGroupEndpoints.exec,
    edgeScheduleEndpoints.exec,
  ],
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const changing = server.app.http.routeTable.filter(({ endpoint }) => endpoint.method !== 'GET')
const permissions = new Map(changing.map(({ endpoint, permission }) => [nameOf(endpoint), permission]))
const asks = 'signed in recently'

test('RULE-15 each changing call is decided once: it asks for a recent sign-in, or states why it does not', () => {
  const decided = [
    ...new Set(asking.map(({ endpoint }) => nameOf(endpoint))),
    ...Object.values(silent).flat().map(nameOf),
  ]
  expect(decided.toSorted()).toEqual([...permissions.keys()].toSorted())
})

test('RULE-15 the contract declares the error for each call that asks and for no other', () => {
  const wrong = changing.flatMap(({ endpoint, permission }) => {
    const isAsking = asking.some((row) => nameOf(row.endpoint) === nameOf(endpoint))
    const isDeclared = endpoint.errors.includes('RECENT_SIGN_IN_NEEDED')
    return isAsking === isDeclared && (isAsking || !permission.includes(asks)) ? [] : [nameOf(endpoint)]
  })
  expect(wrong).toEqual([])
})

/** The console also reads in the background, where it must not ask. */
test('RULE-15 no call that reads asks, except exports of an audit log and the options of a new passkey', () => {
  const reading = server.app.http.routeTable.filter(
    ({ endpoint: { method, errors }, permission }) =>
      method === 'GET' && (permission.includes(asks) || errors.includes('RECENT_SIGN_IN_NEEDED')),
  )
  expect(reading.map(({ endpoint }) => nameOf(endpoint)).toSorted()).toEqual(
    [auditEndpoints.export, auditEndpoints.exportOfProject, passkeyEndpoints.registerOptions]
      .map(nameOf)
      .toSorted(),
  )
})

/** A call with a body that is no JSON is not in the route table. */
test('RULE-15 of the calls outside the contract, the installation of an extension asks, and a ticket of an upload is its own proof', async () => {
  interface Described {
    paths: Record<string, Record<string, { description?: string }>>
  }
  const { paths } = (await (await fetch(`${server.url}${apiBase}/openapi.json`)).json()) as Described
  const others = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { description = '' }]) => {
      const name = `${method.toUpperCase()} ${path.slice(apiBase.length).replace(/\{(\w+)\}/g, ':$1')}`
      return method === 'get' || permissions.has(name) ? [] : [[name, description.includes(asks)]]
    }),
  )
  expect(Object.fromEntries(others)).toEqual({
    'PUT /apps/root/extensions': true,
    'PUT /uploads/:ticket': false,
  })
})

describe('after an hour', async () => {
  await root.forgetSignIn()
  await owner.forgetSignIn()
  /** Only root deletes all records of a collection, and everything below the root pages. */
  const callerOf = ({ method, path }: Endpoint): GivenPerson =>
    path.startsWith('/apps/root/') || (method === 'DELETE' && /\/(?:notes|media|edge-\w+)$/.test(path))
      ? root
      : owner
  const noneOf = ({ path }: Endpoint) =>
    Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, id]))
  const call = (endpoint: Endpoint, params: Params, body: object | undefined) =>
    callerOf(endpoint).call(endpoint, {
      params: { ...noneOf(endpoint), ...params },
      body: body ?? (endpoint.body === undefined ? undefined : {}),
    })

  test.each(asking.map((row) => [nameOf(row.endpoint), row] as const))(
    'RULE-15 %s asks',
    async (_name, row) => {
      expect(await call(row.endpoint, row.params, row.body)).toFailWith('RECENT_SIGN_IN_NEEDED')
    },
  )

  const sometimes = asking.flatMap(({ otherwise, ...row }) =>
    otherwise === undefined ? [] : [{ ...row, ...otherwise }],
  )
  test.each(sometimes.map((row) => [nameOf(row.endpoint), row] as const))(
    'RULE-15 %s does not ask without such an effect',
    async (_name, { endpoint, params, body }) => {
      const { code, status } = await call(endpoint, params, body)
      expect([code, status]).not.toEqual(['RECENT_SIGN_IN_NEEDED', 403])
      expect(status).toBeLessThan(500)
    },
  )

  test('RULE-15 a call that asked has changed nothing', async () => {
    const jobs = await owner.call(edgeJobEndpoints.list, { params: ofProject, query: {} })
    // The two failed jobs, and at most those on one edge.
    expect(jobs.body.items.filter(({ total }) => total > 1).map(({ _id }) => _id)).toEqual([
      ofFailedJob.jobId,
    ])
    const { body } = await owner.call(edgeScheduleEndpoints.read, { params: ofSchedule as never })
    expect(body).toMatchObject({ label: 'Night', command, cron: night.cron, stopPercent: null })
  })
})
