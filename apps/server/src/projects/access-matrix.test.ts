import {
  accessRequestEndpoints,
  auditEndpoints,
  backendEndpoints,
  backupEndpoints,
  conditionEndpoints,
  type Endpoint,
  edgeDeckEndpoints,
  edgeEndpoints,
  edgeEventEndpoints,
  edgeGroupEndpoints,
  edgeInstanceEndpoints,
  edgeJobEndpoints,
  edgeKeyEndpoints,
  edgeProgramEndpoints,
  edgeRequestEndpoints,
  edgeScheduleEndpoints,
  edgeTagEndpoints,
  edgeUpdateEndpoints,
  edgeValueEndpoints,
  extensionSettingsEndpoints,
  findEndpoints,
  homeEndpoints,
  mediaEndpoints,
  noteEndpoints,
  organisationEndpoints,
  overviewEndpoints,
  ownEdgeDeckEndpoints,
  ownExtensionSettingsEndpoints,
  productEndpoints,
  projectEndpoints,
  projectTaskEndpoints,
  retentionEndpoints,
  rootExtensionEndpoints,
  rootExtensionSettingsEndpoints,
  rootFirstStepsEndpoints,
  rootGrantEndpoints,
  rootPeopleEndpoints,
  rootSessionEndpoints,
  storeEndpoints,
  taskDriverEndpoints,
  taskEndpoints,
  taskTokenEndpoints,
  usualEdgeUpdatePolicy,
} from '@pult/contract'
import { callEndpoint, type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'

/*
 * DEC-14 as a table, written by hand from the decision and not from the code: the status of each role on each route.
 * The last test fails if the table lacks a route below these paths.
 */

// The owners create projects and organisations in many tests.
const server = await testServer({
  settings: { PROJECTS_PER_PERSON: '1000', ORGANISATIONS_PER_PERSON: '1000' },
})
const { given } = server

const roles = [
  'no user',
  'signed in',
  'foreign owner',
  'org member',
  'viewer',
  'operator',
  'maintainer',
  'project owner',
  'org owner',
  'root',
] as const
type Role = (typeof roles)[number]

const stranger = await given.person()
const people: Record<Exclude<Role, 'no user'>, GivenPerson> = {
  'signed in': stranger,
  'foreign owner': await given.person(),
  'org member': await given.person(),
  viewer: await given.person(),
  operator: await given.person(),
  maintainer: await given.person(),
  'project owner': await given.person(),
  'org owner': await given.person(),
  root: await given.person({ isRoot: true }),
}
const bystander = await given.person()
// A user who owns an organisation and a project and holds a grant there has no rights elsewhere.
const foreignOrg = await given.organisation(people['foreign owner'])
await given.project(people['foreign owner'], {
  org: foreignOrg,
  grants: [{ person: people['foreign owner'], productRole: 'project/maintainer' }],
})

/** Creates an organisation of the owner with one project of the project's owner, unchanged by any call. */
async function freshWorld() {
  // Other tests cover the limits of invitations.
  await server.db.deleteFrom('attempt').execute()
  // On a slow machine the tests last longer than a sign-in counts as recent.
  await server.db.updateTable('session').set({ authenticated_at: sql<Date>`now()` }).execute()
  const members = [people['org member'], bystander]
  const { orgId } = await given.organisation(people['org owner'], { members })
  const { projectId, grantIds } = await given.project(people['project owner'], {
    org: { orgId },
    grants: [
      { person: people.viewer, productRole: 'project/viewer' },
      { person: people.operator, productRole: 'project/operator' },
      { person: people.maintainer, productRole: 'project/maintainer' },
      { person: bystander, productRole: 'project/viewer' },
    ],
  })
  const empty = await given.organisation(people['org owner'], { members })
  return {
    orgId,
    projectId,
    grantId: grantIds[3] ?? '',
    personId: bystander.personId,
    emptyOrgId: empty.orgId,
  }
}
type World = Awaited<ReturnType<typeof freshWorld>>

/** An invitation by root, who may invite to both places. */
async function invitationTo(place: 'org' | 'project', { orgId, projectId }: World): Promise<string> {
  const email = 'invited@example.org'
  const { body } =
    place === 'org'
      ? await people.root.call(organisationEndpoints.invite, { params: { orgId }, body: { email } })
      : await people.root.call(projectEndpoints.invite, {
          params: { projectId },
          body: { email, productRole: 'project/viewer' },
        })
  return body.invitation._id
}

/** A user that no other row needs. */
const newcomer = async () => ({ personId: (await given.person()).personId })

const withSecondFactor = async () => ({ personId: (await given.person({ otp: true })).personId })

async function newcomersSession() {
  const { personId } = await newcomer()
  const { id: sessionId } = await server.db
    .selectFrom('session')
    .select('id')
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow()
  return { personId, sessionId }
}

async function accountInvitation() {
  const { body } = await people.root.call(rootPeopleEndpoints.invite, { body: email })
  return { invitationId: body.invitation._id }
}

type Status = 200 | 400 | 401 | 403 | 404 | 409
interface Line {
  endpoint: Endpoint
  /** Distinguishes rows of one route. */
  about?: string
  expected: readonly Status[]
  body?: object | ((world: World) => object)
  query?: Record<string, string>
  params?: (world: World) => Promise<Record<string, string>> | Record<string, string>
}

//                no user  signed  foreign member  viewer  operat. maint.  p.owner o.owner root
const allUsers = [401, 200, 200, 200, 200, 200, 200, 200, 200, 200] as const
const orgSeen = [401, 404, 404, 200, 404, 404, 404, 404, 200, 200] as const
const orgEdited = [401, 404, 404, 403, 404, 404, 404, 404, 200, 200] as const
const inOrgMade = [401, 404, 404, 200, 404, 404, 404, 404, 200, 200] as const
const projectSeen = [401, 404, 404, 404, 200, 200, 200, 200, 200, 200] as const
const projectEdited = [401, 404, 404, 404, 403, 403, 403, 200, 200, 200] as const
const projectOwned = [401, 404, 404, 404, 403, 403, 403, 200, 403, 200] as const
const notesUsed = [401, 404, 404, 404, 403, 200, 200, 200, 403, 200] as const
const collectionOfRoot = [401, 404, 404, 404, 403, 403, 403, 403, 403, 200] as const
/** DEC-26: the task was created by the operator. */
const taskEnded = [401, 404, 404, 404, 403, 200, 403, 200, 403, 200] as const
/** An archived task of others does not exist for those who may not end it. */
const taskRestored = [401, 404, 404, 404, 404, 200, 404, 200, 404, 200] as const
/** Only for the person whose call archived the tasks: the project's owner. */
const ownArchiving = [401, 404, 404, 404, 404, 404, 404, 200, 404, 404] as const
/** Only for services with a task token of the project. */
const taskDriven = [401, 404, 404, 404, 403, 403, 403, 403, 403, 403] as const
/**
 * The owner holds every role. Other users hold none of the roles of the product `edges`, which this project does not
 * use.
 */
const edgesUsed = [401, 404, 404, 404, 403, 403, 403, 200, 403, 200] as const
/** For an edge that is not connected and receives no command. */
const edgesCommanded = [401, 404, 404, 404, 403, 403, 403, 409, 403, 409] as const
const edgesMissed = [401, 404, 404, 404, 403, 403, 403, 404, 403, 404] as const
/** For a deck that acts for none of the users. */
const notAssigned = [401, 404, 404, 404, 404, 404, 404, 404, 404, 404] as const
/** For project-details, which requires a role that an organisation's owner lacks. */
const appUsed = [401, 404, 404, 404, 200, 200, 200, 200, 403, 200] as const
/** The project does not use the product that defines the roles. */
const mediaUsed = [401, 404, 404, 404, 403, 403, 403, 200, 403, 200] as const
const mediaAdded = [401, 404, 404, 404, 403, 403, 403, 409, 403, 409] as const
const importStarted = [401, 404, 404, 404, 403, 403, 403, 409, 409, 409] as const
const rootAlone = [401, 403, 403, 403, 403, 403, 403, 403, 403, 200] as const

const orgs = organisationEndpoints
const projects = projectEndpoints
const email = { email: 'unknown@example.org' }
const productRole = { productRole: 'project/operator' }

const orgInvitation = async (world: World) => ({
  orgId: world.orgId,
  invitationId: await invitationTo('org', world),
})
const projectInvitation = async (world: World) => ({
  projectId: world.projectId,
  invitationId: await invitationTo('project', world),
})

/** A request of a user with another role. */
const accessRequest = async ({ projectId }: World) => {
  await bystander.call(accessRequestEndpoints.create, { params: { projectId }, body: productRole })
  const { body } = await people.root.call(accessRequestEndpoints.list, { params: { projectId } })
  return { projectId, requestId: body.items[0]?._id ?? '' }
}

const projectNote = async ({ projectId }: World) => {
  const label = { label: 'A note' }
  const { body } = await people.root.call(noteEndpoints.create, { params: { projectId }, body: label })
  return { projectId, itemId: body._id }
}
const missing = '018f0000-0000-7000-8000-000000000000'
/** A job that would reach no edge. */
const diagnosticsJob = { command: { name: 'diagnostics' as const }, target: { edges: [missing] } }
const noJob = async ({ projectId }: World) => ({ projectId, jobId: missing, lineId: missing })
/** A group of the project's edges. */
async function projectGroup({ projectId }: World) {
  const { body } = await people.root.call(edgeGroupEndpoints.create, {
    params: { projectId },
    body: { label: 'Cranes', rule: { allTags: ['Crane'] } },
  })
  return { projectId, itemId: body._id }
}
const nightly = { cron: '0 3 * * *', timeZone: 'Europe/Berlin' }
const noSchedule = async ({ projectId }: World) => ({ projectId, itemId: missing, command: 'none' })
const noteCommand = (command: string) => async (world: World) => ({ ...(await projectNote(world)), command })

/** A task that is running or has ended. */
const taskIn =
  (state: 'running' | 'finished' | 'rejected', type = 'export') =>
  async ({ projectId }: World) => {
    const id = uuidv7()
    await server.db
      .insertInto('task')
      .values({
        id,
        project_id: projectId,
        type,
        kind: 'info',
        title: 'Export',
        state,
        lease_for: '1 hour',
        created_by: people.operator.personId,
        lease_until: sql<Date>`now() + interval '1 hour'`,
        deadline_at: sql<Date>`now() + interval '1 hour'`,
        fulfilled_at: state === 'running' ? null : sql<Date>`now()`,
        payload: JSON.stringify({ without: [] }),
        retry_until: sql<Date>`now() + interval '1 hour'`,
      })
      .execute()
    return { projectId, taskId: id }
  }
const runningTask = taskIn('running')

/** A call of the project's owner that archived tasks. */
async function archivingOfOwner({ projectId }: World) {
  const archivingId = uuidv7()
  await server.db
    .insertInto('task_archiving')
    .values({ id: archivingId, project_id: projectId, person_id: people['project owner'].personId })
    .execute()
  return { projectId, archivingId }
}

/** A task of the operator that the project's owner has just archived. */
async function archivedTask(world: World) {
  const { archivingId } = await archivingOfOwner(world)
  const { projectId, taskId } = await taskIn('finished')(world)
  await server.db
    .updateTable('task')
    .set({ archived_at: sql<Date>`now()`, archiving_id: archivingId })
    .where('id', '=', taskId)
    .execute()
  return { projectId, taskId }
}

const taskToken = async ({ projectId }: World) => {
  const id = uuidv7()
  const token = { id, project_id: projectId, label: 'Token', types: ['forge/*'], token_hash: Buffer.from(id) }
  const created_by = sql<string>`(select owner_id from project where id = ${projectId}::uuid)`
  await server.db
    .insertInto('task_token')
    .values({ ...token, created_by })
    .execute()
  return { projectId, tokenId: id }
}

/** Creates a sound, which has no formats. */
const projectMedium = async ({ projectId }: World) => {
  const itemId = uuidv7()
  await server.db
    .insertInto('media')
    .values({
      id: itemId,
      project_id: projectId,
      label: 'Jingle',
      type: 'audio',
      state: 'ready',
      formats: '[]',
    })
    .execute()
  return { projectId, itemId }
}
const file = { file: 'nothing' }

const storePlace = ({ projectId }: World) => ({ projectId, app: 'project-details', key: 'seen' })
const storedValue = async (world: World) => {
  const params = storePlace(world)
  await people.root.call(storeEndpoints.write, { params, body: { value: 1 } })
  return params
}
const projectEdge = async ({ projectId }: World) => {
  const label = { label: 'An edge' }
  const { body } = await people.root.call(edgeEndpoints.enrol, { params: { projectId }, body: label })
  return { projectId, edgeId: body.edge._id }
}
const edgeInstance = async (world: World) => {
  const params = await projectEdge(world)
  const label = { label: 'An instance' }
  const { body } = await people.root.call(edgeEndpoints.addInstance, { params, body: label })
  return { ...params, instanceId: body.instances[0]?._id ?? '' }
}
const bundled = () => ({ name: 'project-details' })
const noVersion = () => ({ name: 'project-details', digest: '0'.repeat(64) })

const table: Line[] = [
  { endpoint: orgs.list, expected: allUsers },
  { endpoint: orgs.create, expected: allUsers, body: { label: 'New' } },
  { endpoint: orgs.read, expected: orgSeen },
  { endpoint: orgs.update, expected: orgEdited, body: { label: 'Other' } },
  {
    endpoint: orgs.update,
    about: 'another owner',
    expected: orgEdited,
    body: ({ personId }) => ({ owner: personId }),
  },
  { endpoint: orgs.remove, expected: orgEdited, params: ({ emptyOrgId }) => ({ orgId: emptyOrgId }) },
  { endpoint: orgs.members, expected: orgSeen },
  { endpoint: orgs.removeMember, expected: orgEdited },
  { endpoint: orgs.invitations, expected: orgEdited },
  { endpoint: orgs.invite, expected: orgEdited, body: email },
  { endpoint: orgs.resendInvitation, expected: orgEdited, params: orgInvitation },
  { endpoint: orgs.revokeInvitation, expected: orgEdited, params: orgInvitation },

  { endpoint: projects.list, expected: allUsers },
  { endpoint: projects.create, expected: allUsers, body: { label: 'New' } },
  {
    endpoint: projects.create,
    about: 'in an organisation',
    expected: inOrgMade,
    body: ({ orgId }) => ({ label: 'New', org: orgId }),
  },
  { endpoint: projects.read, expected: projectSeen },
  { endpoint: projects.update, expected: projectEdited, body: { label: 'Other' } },
  { endpoint: projects.remove, expected: projectEdited },
  { endpoint: projects.verify, expected: projectSeen },
  { endpoint: projects.setDefault, expected: projectSeen },
  { endpoint: projects.access, expected: projectEdited },
  { endpoint: projects.changeProductRole, expected: projectOwned, body: productRole },
  { endpoint: projects.invitations, expected: projectOwned },
  { endpoint: projects.invite, expected: projectOwned, body: { ...email, ...productRole } },
  { endpoint: projects.resendInvitation, expected: projectOwned, params: projectInvitation },
  { endpoint: projects.revokeInvitation, expected: projectOwned, params: projectInvitation },

  { endpoint: noteEndpoints.list, expected: notesUsed },
  { endpoint: noteEndpoints.create, expected: notesUsed, body: { label: 'New' } },
  { endpoint: noteEndpoints.read, expected: notesUsed, params: projectNote },
  { endpoint: noteEndpoints.update, expected: notesUsed, params: projectNote, body: { label: 'Other' } },
  { endpoint: noteEndpoints.remove, expected: notesUsed, params: projectNote },
  { endpoint: noteEndpoints.restore, expected: notesUsed, params: projectNote },
  { endpoint: noteEndpoints.removeAll, expected: collectionOfRoot },
  { endpoint: noteEndpoints.exec, about: 'pin', expected: notesUsed, params: noteCommand('pin') },
  { endpoint: noteEndpoints.exec, about: 'unpin', expected: notesUsed, params: noteCommand('unpin') },

  { endpoint: taskEndpoints.list, expected: projectSeen },
  { endpoint: taskEndpoints.read, expected: projectSeen, params: runningTask },
  { endpoint: taskEndpoints.log, expected: projectSeen, params: runningTask },
  { endpoint: taskEndpoints.abort, expected: taskEnded, params: runningTask },
  {
    endpoint: taskEndpoints.retry,
    about: 'of an export',
    expected: projectEdited,
    params: taskIn('rejected', 'project-export'),
  },
  { endpoint: taskEndpoints.archive, expected: taskEnded, params: taskIn('finished') },
  { endpoint: taskEndpoints.archiveEnded, expected: projectSeen },
  { endpoint: taskEndpoints.restore, expected: taskRestored, params: archivedTask },
  { endpoint: taskEndpoints.restoreEnded, expected: ownArchiving, params: archivingOfOwner },
  { endpoint: taskEndpoints.mine, expected: allUsers },
  { endpoint: taskDriverEndpoints.create, expected: taskDriven },
  { endpoint: taskDriverEndpoints.report, expected: taskDriven, params: runningTask },
  { endpoint: taskDriverEndpoints.reportAll, expected: taskDriven },
  { endpoint: taskDriverEndpoints.appendLog, expected: taskDriven, params: runningTask },
  { endpoint: taskDriverEndpoints.fulfil, expected: taskDriven, params: runningTask },
  { endpoint: taskDriverEndpoints.reject, expected: taskDriven, params: runningTask },
  { endpoint: taskTokenEndpoints.list, expected: projectEdited },
  {
    endpoint: taskTokenEndpoints.create,
    about: 'for unknown kinds',
    expected: [401, 404, 404, 404, 403, 403, 403, 400, 400, 400],
    body: { label: 'Token', types: ['forge/render'] },
  },
  { endpoint: taskTokenEndpoints.revoke, expected: projectEdited, params: taskToken },

  { endpoint: mediaEndpoints.list, expected: mediaUsed },
  { endpoint: mediaEndpoints.tags, expected: mediaUsed },
  { endpoint: mediaEndpoints.create, expected: mediaAdded, body: file },
  { endpoint: mediaEndpoints.read, expected: mediaUsed, params: projectMedium },
  { endpoint: mediaEndpoints.update, expected: mediaUsed, params: projectMedium, body: { label: 'Other' } },
  { endpoint: mediaEndpoints.remove, expected: mediaUsed, params: projectMedium },
  { endpoint: mediaEndpoints.restore, expected: mediaUsed, params: projectMedium },
  {
    endpoint: mediaEndpoints.removeAll,
    expected: [401, 404, 404, 404, 403, 403, 403, 403, 403, 200],
  },
  {
    endpoint: mediaEndpoints.exec,
    about: 'transcode',
    expected: mediaUsed,
    params: async (world) => ({ ...(await projectMedium(world)), command: 'transcode' }),
  },
  { endpoint: projectTaskEndpoints.export, expected: projectEdited },
  { endpoint: projectTaskEndpoints.import, expected: importStarted, body: file },
  { endpoint: projectTaskEndpoints.inviteAll, expected: mediaAdded, body: file },

  { endpoint: storeEndpoints.list, expected: appUsed, params: storePlace },
  { endpoint: storeEndpoints.read, expected: appUsed, params: storedValue },
  { endpoint: storeEndpoints.write, expected: appUsed, params: storePlace, body: { value: 1 } },
  { endpoint: storeEndpoints.remove, expected: appUsed, params: storedValue },
  {
    endpoint: storeEndpoints.list,
    about: 'of an unknown app',
    expected: [401, 404, 404, 404, 404, 404, 404, 404, 404, 404],
    params: ({ projectId }) => ({ projectId, app: 'nothing' }),
  },

  { endpoint: edgeEndpoints.list, expected: edgesUsed },
  { endpoint: edgeEndpoints.enrol, expected: edgesUsed, body: { label: 'New' } },
  { endpoint: edgeEndpoints.read, expected: edgesUsed, params: projectEdge },
  { endpoint: edgeEventEndpoints.list, expected: edgesUsed, params: projectEdge },
  {
    endpoint: edgeValueEndpoints.read,
    expected: edgesUsed,
    params: projectEdge,
    query: { from: '2026-01-01T00:00:00Z' },
  },
  {
    endpoint: edgeValueEndpoints.export,
    expected: edgesUsed,
    params: projectEdge,
    query: { from: '2026-01-01T00:00:00Z' },
  },
  {
    endpoint: edgeValueEndpoints.courses,
    expected: edgesUsed,
    query: { edges: '01a1ffc0-2d5e-7c31-8f42-6b0f4a1de711' },
  },
  { endpoint: edgeValueEndpoints.fleet, expected: edgesUsed },
  { endpoint: edgeValueEndpoints.growth, expected: edgesUsed },
  { endpoint: edgeEndpoints.update, expected: edgesUsed, params: projectEdge, body: { label: 'Other' } },
  { endpoint: edgeEndpoints.newCode, expected: edgesUsed, params: projectEdge },
  { endpoint: edgeEndpoints.revoke, expected: edgesUsed, params: projectEdge },
  {
    endpoint: edgeEndpoints.move,
    about: 'to a project that the caller does not see',
    expected: edgesMissed,
    params: projectEdge,
    body: { project: missing },
  },
  { endpoint: edgeEndpoints.remove, expected: edgesUsed, params: projectEdge },
  { endpoint: edgeEndpoints.addInstance, expected: edgesUsed, params: projectEdge, body: { label: 'New' } },
  {
    endpoint: edgeEndpoints.updateInstance,
    expected: edgesUsed,
    params: edgeInstance,
    body: { label: 'Other' },
  },
  { endpoint: edgeEndpoints.removeInstance, expected: edgesUsed, params: edgeInstance },
  { endpoint: edgeEndpoints.restart, expected: edgesCommanded, params: projectEdge, body: {} },
  { endpoint: edgeProgramEndpoints.start, expected: edgesCommanded, params: edgeInstance },
  { endpoint: edgeProgramEndpoints.stop, expected: edgesCommanded, params: edgeInstance },
  { endpoint: edgeProgramEndpoints.log, expected: edgesCommanded, params: edgeInstance },
  { endpoint: edgeProgramEndpoints.logFile, expected: edgesCommanded, params: edgeInstance },
  { endpoint: edgeEndpoints.diagnose, expected: edgesCommanded, params: projectEdge },
  { endpoint: edgeEndpoints.updateAgent, expected: edgesCommanded, params: projectEdge },
  { endpoint: edgeGroupEndpoints.list, expected: edgesUsed },
  { endpoint: edgeGroupEndpoints.create, expected: edgesUsed, body: { label: 'Cranes', rule: {} } },
  { endpoint: edgeGroupEndpoints.read, expected: edgesUsed, params: projectGroup },
  {
    endpoint: edgeGroupEndpoints.update,
    expected: edgesUsed,
    params: projectGroup,
    body: { label: 'Other' },
  },
  { endpoint: edgeGroupEndpoints.remove, expected: edgesUsed, params: projectGroup },
  { endpoint: edgeGroupEndpoints.removeAll, expected: collectionOfRoot },
  {
    endpoint: edgeGroupEndpoints.exec,
    about: 'that does not exist',
    expected: edgesMissed,
    params: async (world: World) => ({ ...(await projectGroup(world)), command: 'none' }),
  },
  { endpoint: edgeJobEndpoints.choices, expected: edgesUsed },
  { endpoint: edgeJobEndpoints.preview, expected: edgesUsed, body: diagnosticsJob },
  { endpoint: edgeJobEndpoints.list, expected: edgesUsed },
  { endpoint: edgeJobEndpoints.start, expected: edgesCommanded, body: diagnosticsJob },
  { endpoint: edgeJobEndpoints.read, expected: edgesMissed, params: noJob },
  { endpoint: edgeJobEndpoints.lines, expected: edgesMissed, params: noJob },
  { endpoint: edgeJobEndpoints.log, expected: edgesMissed, params: noJob },
  { endpoint: edgeJobEndpoints.cancel, expected: edgesMissed, params: noJob },
  { endpoint: edgeJobEndpoints.retry, expected: edgesMissed, params: noJob },
  { endpoint: edgeScheduleEndpoints.list, expected: edgesUsed },
  {
    endpoint: edgeScheduleEndpoints.create,
    expected: edgesMissed,
    body: { label: 'Night', command: { name: 'diagnostics' as const }, group: missing, ...nightly },
  },
  { endpoint: edgeScheduleEndpoints.read, expected: edgesMissed, params: noSchedule },
  {
    endpoint: edgeScheduleEndpoints.update,
    expected: edgesMissed,
    params: noSchedule,
    body: { isPaused: true },
  },
  { endpoint: edgeScheduleEndpoints.remove, expected: edgesMissed, params: noSchedule },
  { endpoint: edgeScheduleEndpoints.removeAll, expected: collectionOfRoot },
  {
    endpoint: edgeScheduleEndpoints.exec,
    about: 'that does not exist',
    expected: edgesMissed,
    params: noSchedule,
  },
  { endpoint: edgeScheduleEndpoints.runs, expected: edgesMissed, params: noSchedule },
  { endpoint: edgeScheduleEndpoints.times, expected: edgesUsed, query: nightly },
  { endpoint: edgeKeyEndpoints.list, expected: edgesUsed },
  { endpoint: edgeKeyEndpoints.create, expected: edgesUsed, body: { label: 'Halls' } },
  {
    endpoint: edgeKeyEndpoints.revoke,
    expected: edgesMissed,
    params: ({ projectId }) => ({ projectId, keyId: '018f0000-0000-7000-8000-000000000000' }),
  },
  { endpoint: edgeRequestEndpoints.list, expected: edgesUsed },
  {
    endpoint: edgeRequestEndpoints.decide,
    expected: edgesUsed,
    body: { decision: 'approve', requests: ['018f0000-0000-7000-8000-000000000000'] },
  },
  { endpoint: edgeTagEndpoints.facets, expected: edgesUsed },
  {
    endpoint: edgeTagEndpoints.change,
    expected: edgesMissed,
    body: { edges: ['018f0000-0000-7000-8000-000000000000'], add: ['Crane'] },
  },
  { endpoint: edgeUpdateEndpoints.read, expected: edgesUsed },
  { endpoint: edgeUpdateEndpoints.update, expected: edgesUsed, body: usualEdgeUpdatePolicy },
  {
    endpoint: edgeEndpoints.setDeck,
    about: 'that is not attached',
    expected: edgesMissed,
    params: async (world) => ({ ...(await projectEdge(world)), serial: 'AL01' }),
    body: { brightness: 1 },
  },
  ...[
    { endpoint: edgeDeckEndpoints.read },
    { endpoint: edgeDeckEndpoints.update, body: { isLocked: true } },
    { endpoint: edgeDeckEndpoints.setPage, body: { keys: [], face: null } },
  ].map((line) => ({
    ...line,
    about: 'of a deck that is not attached',
    expected: edgesMissed,
    params: async (world: World) => ({ ...(await projectEdge(world)), serial: 'AL01', page: '0' }),
  })),
  { endpoint: ownEdgeDeckEndpoints.list, expected: allUsers },
  ...[ownEdgeDeckEndpoints.agree, ownEdgeDeckEndpoints.withdraw].map((endpoint) => ({
    endpoint,
    about: 'of a deck that is not assigned to the user',
    expected: notAssigned,
    params: async (world: World) => ({ ...(await projectEdge(world)), serial: 'AL01' }),
  })),
  { endpoint: edgeInstanceEndpoints.list, expected: projectSeen },

  { endpoint: rootExtensionEndpoints.list, expected: rootAlone },
  { endpoint: rootExtensionEndpoints.enable, expected: rootAlone, params: bundled },
  {
    endpoint: rootExtensionEndpoints.disable,
    expected: rootAlone,
    params: () => ({ name: 'hello' }),
  },
  {
    endpoint: rootExtensionEndpoints.setBackend,
    about: 'of an extension without one',
    expected: [401, 403, 403, 403, 403, 403, 403, 403, 403, 404],
    params: bundled,
    body: { url: null },
  },
  {
    endpoint: rootExtensionEndpoints.removeVersion,
    about: 'that does not exist',
    expected: [401, 403, 403, 403, 403, 403, 403, 403, 403, 404],
    params: noVersion,
  },
  {
    endpoint: rootExtensionSettingsEndpoints.ofInstallation,
    expected: rootAlone,
    params: bundled,
  },
  {
    endpoint: rootExtensionSettingsEndpoints.changeInstallation,
    expected: rootAlone,
    params: bundled,
    body: { values: {} },
  },
  {
    endpoint: extensionSettingsEndpoints.ofProject,
    expected: [401, 404, 404, 404, 403, 403, 200, 200, 200, 200],
  },
  {
    endpoint: extensionSettingsEndpoints.changeProject,
    about: 'of an extension without any',
    expected: [401, 404, 404, 404, 403, 403, 403, 404, 404, 404],
    params: ({ projectId }) => ({ projectId, ...bundled() }),
    body: { values: {} },
  },
  { endpoint: ownExtensionSettingsEndpoints.ofPerson, expected: allUsers },
  {
    endpoint: ownExtensionSettingsEndpoints.changePerson,
    about: 'of an extension without any',
    expected: [401, 404, 404, 404, 404, 404, 404, 404, 404, 404],
    params: bundled,
    body: { values: {} },
  },
  {
    endpoint: ownExtensionSettingsEndpoints.values,
    about: 'in a root app',
    expected: rootAlone,
    params: () => ({ app: 'accounts' }),
  },
  { endpoint: backendEndpoints.keys, expected: [200, 200, 200, 200, 200, 200, 200, 200, 200, 200] },

  { endpoint: rootGrantEndpoints.ofPerson, expected: rootAlone },
  { endpoint: rootGrantEndpoints.add, expected: rootAlone, body: { user: stranger.personId } },
  { endpoint: rootGrantEndpoints.update, expected: rootAlone, body: productRole },
  { endpoint: rootGrantEndpoints.setRoles, expected: rootAlone, body: { productRoles: [] } },
  { endpoint: rootGrantEndpoints.remove, expected: rootAlone },

  {
    endpoint: accessRequestEndpoints.create,
    // The maintainer, the owner and root already have the role.
    expected: [401, 404, 404, 404, 200, 200, 409, 409, 200, 409],
    body: { productRole: 'project/maintainer' },
  },
  { endpoint: accessRequestEndpoints.offer, expected: projectSeen },
  { endpoint: accessRequestEndpoints.list, expected: projectOwned },
  { endpoint: accessRequestEndpoints.decline, expected: projectOwned, params: accessRequest },
  { endpoint: homeEndpoints.read, expected: projectSeen },
  { endpoint: findEndpoints.find, expected: allUsers },
  { endpoint: overviewEndpoints.read, expected: allUsers },
  { endpoint: overviewEndpoints.ofOrganisation, expected: orgSeen },

  { endpoint: productEndpoints.list, expected: allUsers },

  { endpoint: auditEndpoints.list, expected: rootAlone },
  { endpoint: auditEndpoints.export, expected: rootAlone, query: { format: 'csv' } },
  { endpoint: conditionEndpoints.read, expected: rootAlone },
  { endpoint: conditionEndpoints.diagnostics, expected: rootAlone },
  { endpoint: conditionEndpoints.testMail, expected: rootAlone },
  { endpoint: conditionEndpoints.putIntoService, expected: rootAlone },
  { endpoint: retentionEndpoints.read, expected: rootAlone },
  { endpoint: retentionEndpoints.change, expected: rootAlone, body: {} },
  { endpoint: backupEndpoints.read, expected: rootAlone },
  // The test server has no place for backups.
  { endpoint: backupEndpoints.start, expected: rootAlone.map((status) => (status === 200 ? 409 : status)) },
  { endpoint: rootFirstStepsEndpoints.read, expected: rootAlone },
  { endpoint: rootPeopleEndpoints.list, expected: rootAlone },
  { endpoint: rootPeopleEndpoints.read, expected: rootAlone },
  { endpoint: rootPeopleEndpoints.belongings, expected: rootAlone },
  { endpoint: rootPeopleEndpoints.update, expected: rootAlone, body: { isRoot: true }, params: newcomer },
  { endpoint: rootPeopleEndpoints.remove, expected: rootAlone, params: newcomer },
  { endpoint: rootPeopleEndpoints.endSessions, expected: rootAlone },
  { endpoint: rootPeopleEndpoints.unlock, expected: rootAlone },
  { endpoint: rootPeopleEndpoints.confirmEmail, expected: rootAlone },
  { endpoint: rootPeopleEndpoints.resetSecondFactor, expected: rootAlone, params: withSecondFactor },
  { endpoint: rootPeopleEndpoints.invitations, expected: rootAlone },
  { endpoint: rootPeopleEndpoints.invite, expected: rootAlone, body: email },
  { endpoint: rootPeopleEndpoints.resendInvitation, expected: rootAlone, params: accountInvitation },
  { endpoint: rootPeopleEndpoints.revokeInvitation, expected: rootAlone, params: accountInvitation },
  { endpoint: rootSessionEndpoints.list, expected: rootAlone },
  { endpoint: rootSessionEndpoints.endAll, expected: rootAlone },
  { endpoint: rootSessionEndpoints.end, expected: rootAlone, params: newcomersSession },
  { endpoint: auditEndpoints.ofProject, expected: projectOwned },
  { endpoint: auditEndpoints.exportOfProject, expected: projectOwned, query: { format: 'csv' } },
]

const routeOf = ({ method, path }: Endpoint) => `${method} ${path}`

function titleOf({ endpoint, about, expected }: Line): string {
  const ids = ['DEC-14', ...(expected.includes(404) ? ['RULE-51'] : [])]
  if (expected === rootAlone) ids.push('ROLE-02')
  if (endpoint.path.startsWith('/apps/root/projects/')) ids.push('RULE-53')
  return [...ids, routeOf(endpoint), ...(about === undefined ? [] : [about])].join(' ')
}

test.each(table.map((line) => [titleOf(line), line] as const))(
  '%s',
  async (_name, { endpoint, expected, body, params, query }) => {
    for (const [index, role] of roles.entries()) {
      const world = await freshWorld()
      const token = role === 'no user' ? undefined : people[role].token
      const answer = await callEndpoint(server.url, token, endpoint, {
        params: { ...world, ...(await params?.(world)) },
        query,
        body:
          typeof body === 'function' ? body(world) : (body ?? (endpoint.method === 'GET' ? undefined : {})),
      })
      expect([role, answer.status]).toEqual([role, expected[index]])
    }
  },
)

test('RULE-50 DEC-14 the table contains every route of the rooms with project or organisation roles', () => {
  const isCovered =
    /^\/(?:find|orgs|overview|projects|apps|app-settings|me\/(?:edge-decks|extension-settings)|products|tasks|v2)(?:\/|$)/
  const there = server.app.http.routeTable
    .map(({ endpoint }) => endpoint)
    .filter(({ path }) => isCovered.test(path))
    .map(routeOf)
  expect(new Set(table.map(({ endpoint }) => routeOf(endpoint)))).toEqual(new Set(there))
})
