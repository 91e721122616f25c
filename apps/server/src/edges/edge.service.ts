import { isDeepStrictEqual } from 'node:util'
import {
  apiBase,
  type BodyOf,
  type Edge,
  type EdgeReport,
  type EdgeWithInstances,
  type edgeEndpoints,
  type edgeEnrolmentEndpoints,
  type edgeProgramEndpoints,
  edgeSocketPath,
  edgeTag,
  type edgeValueEndpoints,
  type FleetCounts,
  firstCharacters,
  limits,
  type QueryOf,
  type ReplyOf,
  type Task,
} from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Clock } from '#platform/clock.ts'
import { createOnce } from '#platform/database/idempotency.ts'
import type { Page } from '#platform/database/page.ts'
import type { HeavyReads } from '#platform/database/replicas.ts'
import { refuseStale } from '#platform/database/revision.ts'
import type { Database } from '#platform/database/schema.ts'
import { addressOf, networkOf } from '#platform/http/client-address.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Log } from '#platform/log.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { UpgradeHandler } from '#platform/realtime/handshake.ts'
import type { StrangersLimits } from '#platform/realtime/strangers.ts'
import { hashToken, newToken, type Secrets } from '#platform/secrets.ts'
import { namesToStore } from '#platform/stored-names.ts'
import type { AuditEvent, AuditService } from '../audit/audit.service.ts'
import type { Attempts, WindowPolicy } from '../auth/attempts.ts'
import type { ProjectService } from '../projects/project.service.ts'
import type { TaskKind } from '../tasks/task-kind.ts'
import { type Agent, createAgentGateway } from './agents/agent-gateway.ts'
import { createPresence } from './agents/presence.ts'
import { createSilence } from './agents/silence.ts'
import { createAlerts } from './alerts/alerts.ts'
import { createEdgeCommands } from './commands/edge-commands.ts'
import {
  type CheckEdgeTask,
  createDiagnosticsKind,
  createProgramKind,
  createRestartKind,
  createUpdateKind,
  type DiagnosticsPayload,
  type ProgramPayload,
  type RestartPayload,
  type UpdatePayload,
} from './commands/edge-kinds.ts'
import { createDeckKeys, knowsDeck } from './decks/deck-keys.ts'
import { checkPicture } from './decks/deck-picture.ts'
import { createDeckPresses, type DeckPressesParts } from './decks/deck-presses.ts'
import { createEdgeDecks, deckEvent } from './decks/edge-decks.ts'
import { createEdgeRepository } from './edge.repository.ts'
import { hashEdgeCode, newEdgeCode } from './edge-code.ts'
import type { EdgeListQuery } from './edge-order.ts'
import { edgeNodeTopic, publishEdgeChange } from './edge-topic.ts'
import { createEdgeEvents } from './events/edge-events.ts'
import { createFleet } from './fleet.ts'
import { createEdgeJobs } from './jobs/edge-jobs.ts'
import { type JobWorkerParts, jobsDue } from './jobs/job-worker.ts'
import { createAdmission } from './joining/admission.ts'
import { createEdgeKeys } from './joining/edge-keys.ts'
import { createJoining } from './joining/joining.ts'
import { createTwins } from './joining/twins.ts'
import { createEdgeLogs } from './logs/edge-logs.ts'
import { createReach } from './reach.ts'
import { createScheduleWorker } from './schedules/schedule-worker.ts'
import { createEdgeTags } from './tags/edge-tags.ts'
import { createEdgeUpdates } from './updates/edge-updates.ts'
import { createEdgeValues } from './values/edge-values.ts'
import { createSampleKeeper } from './values/sample-keeper.ts'

/** Starts a task of a project in the transaction that records its creator. */
type StartTask = (
  trx: Transaction<Database>,
  emit: Emit,
  order: {
    projectId: string
    type: string
    title: string
    createdBy: string
    payload: RestartPayload | ProgramPayload | DiagnosticsPayload | UpdatePayload
  },
) => Promise<Task>

interface EdgeServiceParts {
  db: Kysely<Database>
  secrets: Secrets
  /** Runs the queries of long charts. */
  reads: HeavyReads
  events: Events
  audit: AuditService
  attempts: Attempts
  mailer: Mailer
  projects: Pick<ProjectService, 'read' | 'checkEdited' | 'checkOwned' | 'readersAmong'>
  startTask: StartTask
  managersAmong: JobWorkerParts['managersAmong']
  managers: DeckPressesParts['managers']
  actingPerson: DeckPressesParts['actingPerson']
  products: DeckPressesParts['products']
  /** Performs the actions that keys of all decks have in common. */
  actOnKey: DeckPressesParts['act']
  /** The public key that signs releases of the agent. */
  releaseKey: () => Promise<string>
  /** The version of the agent that this node serves. */
  agentVersion: string
  publicUrl: string
  /** Addresses of proxies whose forwarding headers count. */
  trustedProxies: readonly string[]
  /** Limits of agents that have not authenticated yet. */
  strangersMax: StrangersLimits
  clock: Clock
  /** Replaces the time of grace for absent edges, in milliseconds. */
  graceTime?: number | undefined
  log: Log
}

/** Sufficient for a van full of edges behind one address. */
const codePolicy: WindowPolicy = { kind: 'edge-code', most: 100, seconds: 600 }

interface Place {
  projectId: string
  edgeId: string
}

interface Who {
  caller: Caller
  address: string
}

/** Edges of projects. The routes have checked the caller's role. */
export function createEdgeService(parts: EdgeServiceParts) {
  const {
    db,
    secrets,
    reads,
    events,
    audit,
    attempts,
    mailer,
    projects,
    startTask,
    managersAmong,
    managers,
    actingPerson,
    products,
    actOnKey,
    releaseKey,
    agentVersion,
    publicUrl,
    trustedProxies,
    strangersMax,
    clock,
    graceTime,
    log,
  } = parts
  const edges = createEdgeRepository(db)

  const twins = createTwins({ db, audit, log })
  const gateway = createAgentGateway({
    admit: createAdmission({ db, secrets, events, audit }),
    findByToken: (tokenHash) => presence.findByToken(tokenHash),
    onAnswer: async (agent, answer) => {
      if (!(await commands.onAnswer(agent, answer))) await jobs.worker.onAnswer(agent, answer)
    },
    onLog: (agent, answer) => logs.onAnswer(agent, answer),
    onPress: (agent, message) => presses.press(agent, message),
    addressOf: (request) => addressOf(request, trustedProxies),
    strangersMax,
    onReport(agent: Agent, before: EdgeReport | null, message) {
      samples.take(agent, message)
      decks.onReport(agent, before)
    },
    onTwins: twins.note,
    log,
  })
  const presence = createPresence({ db, events, gateway, clock, graceTime, log })
  const silence = createSilence({ db, events, gateway, log })
  const samples = createSampleKeeper({ db, now: events.now, confirmSamples: gateway.confirmSamples, log })
  const values = createEdgeValues({ db, reads, now: events.now })
  const eventsOf = createEdgeEvents({ db, audit })
  const commands = createEdgeCommands({ db, events, gateway })
  const logs = createEdgeLogs({ events, gateway })
  const decks = createEdgeDecks({ db, events, gateway, log })
  const updates = createEdgeUpdates({ db, events, audit, version: agentVersion, log })
  const tags = createEdgeTags({ db, events, audit })
  const jobs = createEdgeJobs({ db, events, audit, gateway, managersAmong, clock, log })
  const presses = createDeckPresses({
    db,
    audit,
    gateway,
    actingPerson,
    act: actOnKey,
    managers,
    products,
    jobs,
    log,
  })
  const schedules = createScheduleWorker({
    db,
    events,
    audit,
    begin: jobs.begin,
    managersAmong,
    clock,
    log,
  })
  const keys = createEdgeKeys({ db, events, audit, managersAmong })
  const joining = createJoining({ db, events, audit })
  const alerts = createAlerts({ db, events, mailer, publicUrl, log })
  events.listen(({ topic, name, data }) => {
    if (topic !== edgeNodeTopic || name !== 'edge:token-changed') return
    gateway
      .checkToken(String(data['edgeId']))
      .catch((err: unknown) => log.warn({ err }, 'the token of an edge could not be checked'))
  })

  async function found({ projectId, edgeId }: Place, from = edges): Promise<Edge> {
    const edge = await from.find(projectId, edgeId)
    if (edge === undefined) throw new AppError('NOT_FOUND')
    return edge
  }

  /** Removes the names of projects that the caller may not see. */
  async function shown(caller: Caller, items: readonly Edge[]): Promise<Edge[]> {
    const ids = new Set(items.flatMap(({ instances }) => instances.map(({ project }) => project._id)))
    if (ids.size === 0) return [...items]
    const readers = await projects.readersAmong([...ids], [caller.personId])
    const isSeen = (projectId: string) => readers.get(projectId)?.includes(caller.personId) === true
    return items.map((edge) => ({
      ...edge,
      instances: edge.instances.map((instance) =>
        isSeen(instance.project._id)
          ? instance
          : { ...instance, project: { _id: instance.project._id, label: null } },
      ),
    }))
  }

  async function shownOne(caller: Caller, edge: Edge): Promise<Edge> {
    const [one = edge] = await shown(caller, [edge])
    return one
  }

  /** Changes one edge with its row locked, and writes its audit record and event in the same transaction. */
  async function change(
    place: Place,
    { caller, address }: Who,
    event: AuditEvent,
    work: (
      trx: Transaction<Database>,
      emit: Emit,
      before: Edge,
    ) => Promise<Record<string, unknown> | 'nothing'>,
  ): Promise<Edge> {
    const { projectId, edgeId } = place
    const edge = await events.transaction(async (trx, emit) => {
      const within = createEdgeRepository(trx)
      await within.lock(projectId, edgeId)
      const before = await found(place, within)
      const detail = await work(trx, emit, before)
      if (detail === 'nothing') return before
      await audit.within(trx).record({
        event,
        result: 'success',
        actorId: caller.personId,
        target: edgeId,
        projectId,
        address,
        detail: { label: before.label, ...detail },
      })
      const after = await within.find(projectId, edgeId)
      const revision = after && { revision: after.revision }
      await publishEdgeChange(emit, projectId, { id: edgeId, op: after ? 'upsert' : 'remove', ...revision })
      return after ?? before
    })
    return shownOne(caller, edge)
  }

  /** Publishes to other projects that their selectable instances have changed. */
  async function publishToOtherProjects(
    emit: Emit,
    { projectId, edgeId }: Place,
    projectIds: readonly string[],
  ): Promise<void> {
    for (const other of new Set(projectIds))
      if (other !== projectId) await publishEdgeChange(emit, other, { id: edgeId })
  }

  const placesOf = ({ instances }: Edge) => instances.map(({ project }) => project._id)

  const publishTokenChange = (emit: Emit, edgeId: string) =>
    emit({ topic: edgeNodeTopic, name: 'edge:token-changed', data: { edgeId } })

  const begin = (
    { projectId, edgeId }: Place,
    { caller, address }: Who,
    {
      event,
      detail,
      alongside,
      ...order
    }: {
      event: AuditEvent
      detail: Record<string, unknown>
      /** Writes further rows in the same transaction. */
      alongside?: (trx: Transaction<Database>) => Promise<void>
    } & Pick<Parameters<StartTask>[2], 'type' | 'title' | 'payload'>,
  ): Promise<Task> =>
    events.transaction(async (trx, emit) => {
      const { personId } = caller
      await alongside?.(trx)
      const begun = await startTask(trx, emit, { ...order, projectId, createdBy: personId })
      await audit.within(trx).record({
        event,
        result: 'success',
        actorId: personId,
        target: edgeId,
        projectId,
        address,
        detail: { ...detail, task: begun._id },
      })
      return begun
    })

  const checkTask: CheckEdgeTask = async ({ projectId, createdBy, payload: { edgeId } }) => {
    const allowed = createdBy === null ? [] : await managersAmong(projectId, [createdBy])
    if (allowed.length === 0) throw new AppError('FORBIDDEN')
    await found({ projectId, edgeId })
  }

  async function online(place: Place): Promise<Edge> {
    const edge = await found(place)
    // An agent that does not report can still be diagnosed, restarted and updated.
    if (edge.state !== 'online' && edge.silence === null) throw new AppError('EDGE_OFFLINE')
    return edge
  }

  /** Returns a program that its agent can start and stop. */
  async function programOf(
    place: Place,
    instanceId: string,
  ): Promise<{ edge: Edge; label: string; key: string }> {
    const edge = await online(place)
    const instance = edge.instances.find(({ _id }) => _id === instanceId)
    if (instance === undefined) throw new AppError('NOT_FOUND')
    const { label, key, program } = instance
    if (program === null || key === null) throw new AppError('EDGE_CANNOT')
    return { edge, label, key }
  }

  return {
    /** The state of edges, for the home of a project and the overview. */
    fleet: createFleet(db),
    reach: createReach(db),

    /** The upgrade handler of the agents' socket, by path. */
    upgradeHandlers: new Map<string, UpgradeHandler>([[apiBase + edgeSocketPath, gateway.open]]),

    updates,
    tags,
    jobs,
    deckKeys: createDeckKeys({
      db,
      projects,
      find: found,
      change,
      touch: (trx, { projectId, edgeId }, personId) =>
        createEdgeRepository(trx).touch(projectId, edgeId, personId),
    }),
    keys,
    joining,

    /** Counts the agents connected to this node. */
    connected: () => gateway.agents().length,

    foundTwins: twins.latest,

    kinds: [
      createRestartKind(commands, checkTask),
      createProgramKind('start', commands, checkTask),
      createProgramKind('stop', commands, checkTask),
      createDiagnosticsKind(commands, checkTask),
      createUpdateKind(commands, checkTask, agentVersion),
    ] as unknown as readonly TaskKind[],

    start(): void {
      presence.start()
      silence.start()
      samples.start()
      alerts.start()
      updates.start()
      jobs.worker.start()
      schedules.start()
    },

    async stop(): Promise<void> {
      await gateway.close()
      await Promise.all([
        presence.stop(),
        silence.stop(),
        samples.stop(),
        alerts.stop(),
        updates.stop(),
        schedules.stop(),
        jobs.worker.stop(),
        presses.stop(),
      ])
    },

    async list(
      caller: Caller,
      projectId: string,
      query: EdgeListQuery,
    ): Promise<Page<Edge> & { counts: FleetCounts }> {
      const page = await edges.list(projectId, query)
      return { ...page, items: await shown(caller, page.items) }
    },

    read: async (caller: Caller, place: Place): Promise<Edge> => shownOne(caller, await found(place)),

    async assignedTo(caller: Caller, projectId: string): Promise<EdgeWithInstances[]> {
      await projects.read(caller, projectId)
      return edges.assignedTo(projectId)
    },

    /**
     * Returns the project of the edge that an assigned instance runs on. Throws NOT_FOUND if the instance is not
     * assigned to the project.
     */
    async projectOfAssigned(
      caller: Caller,
      { edge: instanceId, edgeId, project }: { edge: string; edgeId: string; project: string },
    ): Promise<string> {
      await projects.read(caller, project)
      const projectId = await edges.projectOfAssigned(project, edgeId, instanceId)
      if (projectId === undefined) throw new AppError('NOT_FOUND')
      return projectId
    },

    /** Returns values over time, and outages. */
    async values(place: Place, asked: QueryOf<typeof edgeValueEndpoints.read>) {
      await found(place)
      return values.read(place.edgeId, asked)
    },

    /** Returns values of several edges over the last day. */
    fleetValues: (projectId: string) => values.fleet(projectId),
    courses: (projectId: string, edgeIds: readonly string[]) => values.courses(projectId, edgeIds),

    /** Returns outages, and actions of users. */
    async events({ projectId, edgeId }: Place) {
      await found({ projectId, edgeId })
      return eventsOf(projectId, edgeId)
    },

    async valuesCsv(place: Place, asked: QueryOf<typeof edgeValueEndpoints.export>) {
      await found(place)
      return values.csv(place.edgeId, asked)
    },

    async enrol(
      { caller, address }: Who,
      projectId: string,
      label: string,
      idempotencyKey: string | undefined,
    ): Promise<{ edge: Edge; code: string; expiresAt: string }> {
      // The server stores only the hash of a code, so a repeated call creates another code for the same edge.
      const code = newEdgeCode()
      const codeHash = hashEdgeCode(code)
      const { personId } = caller
      const edge = await events.transaction(async (trx, emit) => {
        const within = createEdgeRepository(trx)
        const path = `/projects/${projectId}/edges`
        const { id, isNew } = await createOnce(
          trx,
          { personId, path, key: idempotencyKey, body: { label } },
          async () => {
            const added = await within.add(projectId, label, codeHash, personId)
            if (added === undefined) throw new AppError('TOO_MANY_EDGES')
            return added
          },
        )
        if (!isNew && (await within.setCode(projectId, id, codeHash, personId)) === undefined)
          throw new AppError('NOT_FOUND')
        const row = { result: 'success', actorId: personId, target: id, projectId, address } as const
        const event = isNew ? 'edge.created' : 'edge.code-made'
        await audit.within(trx).record({ ...row, event, detail: { label } })
        await publishEdgeChange(emit, projectId, { id })
        return found({ projectId, edgeId: id }, within)
      })
      return { edge, code, expiresAt: endOfCode(edge) }
    },

    async newCode(who: Who, place: Place): Promise<{ code: string; expiresAt: string }> {
      const code = newEdgeCode()
      const edge = await change(place, who, 'edge.code-made', async (trx) => {
        const { projectId, edgeId } = place
        await createEdgeRepository(trx).setCode(projectId, edgeId, hashEdgeCode(code), who.caller.personId)
        return {}
      })
      return { code, expiresAt: endOfCode(edge) }
    },

    /** Redeems a code or a key, without a session. The attempt is counted before it is evaluated. */
    async redeem(
      { code, machine, version, token: given }: BodyOf<typeof edgeEnrolmentEndpoints.redeem>,
      address: string,
    ): Promise<ReplyOf<typeof edgeEnrolmentEndpoints.redeem>> {
      const network = networkOf(address)
      await attempts.admitInWindow(codePolicy, network)
      // Read first, because a failure after the redemption would lose the code.
      const pinned = await releaseKey()
      const token = given ?? newToken()
      const tokenHash = hashToken(token)
      const codeHash = hashEdgeCode(code)
      // Checked before the transaction, because the check would need a second connection.
      const isManaged = await keys.isManaged(codeHash)
      const enrolled = await events.transaction(async (trx, emit) => {
        const before = given === undefined ? undefined : await joining.joinedBefore(trx, tokenHash)
        if (before !== undefined) return before
        // A refusal rolls back, so that the token stays new.
        if (!isManaged) throw new AppError('EDGE_CODE_NOT_VALID')
        const edge = await createEdgeRepository(trx).redeem(codeHash, tokenHash, machine)
        if (edge === undefined) {
          const joined = await joining.redeem(trx, emit, { codeHash, tokenHash, machine, version, address })
          if (joined === undefined) throw new AppError('EDGE_CODE_NOT_VALID')
          return joined
        }
        const { id, projectId, label, revision } = edge
        await audit.within(trx).record({
          event: 'edge.enrolled',
          result: 'success',
          target: id,
          projectId,
          address,
          detail: { label },
        })
        await publishTokenChange(emit, id)
        await publishEdgeChange(emit, projectId, { id, revision })
        return { id, label, isWaiting: false }
      })
      await attempts.forgive(codePolicy, network)
      const { id, label, isWaiting } = enrolled
      return { edge: id, label, token, releaseKey: pinned, ...(isWaiting && { isWaiting }) }
    },

    update: (
      who: Who,
      place: Place,
      { label, tags: given, place: where, alertAfter }: BodyOf<typeof edgeEndpoints.update>,
      revision: number | undefined,
    ): Promise<Edge> =>
      change(place, who, 'edge.changed', async (trx, _emit, before) => {
        refuseStale(before, revision)
        const chosen = given && namesToStore(given, { stored: before.tags, rule: edgeTag, path: ['tags'] })
        const changes = {
          ...(label !== undefined && label !== before.label && { label }),
          ...(chosen !== undefined && !isDeepStrictEqual(chosen, before.tags) && { tags: chosen }),
          ...(where !== undefined && where !== before.place && { place: where }),
          ...(alertAfter !== undefined && alertAfter !== before.alertAfter && { alertAfter }),
        }
        if (Object.keys(changes).length === 0) return 'nothing'
        await createEdgeRepository(trx).update(place.projectId, place.edgeId, changes, who.caller.personId)
        return { changed: changes }
      }),

    revoke: (who: Who, place: Place): Promise<Edge> =>
      change(place, who, 'edge.revoked', async (trx, emit) => {
        await createEdgeRepository(trx).revoke(place.projectId, place.edgeId, who.caller.personId)
        await publishTokenChange(emit, place.edgeId)
        await emit(jobsDue({ edges: [place.edgeId] }))
        return {}
      }),

    /** Moves an edge. The caller must be able to manage the edges of both projects. */
    async move(who: Who, place: Place, target: string): Promise<Edge> {
      const { projectId, edgeId } = place
      const there = { projectId: target, edgeId }
      if (target === projectId) return shownOne(who.caller, await found(place))
      await change(place, who, 'edge.moved', async (trx, emit, before) => {
        const { label } = before
        if (!(await createEdgeRepository(trx).move(place, target, who.caller.personId)))
          throw new AppError('TOO_MANY_EDGES')
        await audit.within(trx).record({
          event: 'edge.moved',
          result: 'success',
          actorId: who.caller.personId,
          target: edgeId,
          projectId: target,
          address: who.address,
          detail: { label, from: projectId },
        })
        await publishEdgeChange(emit, target, { id: edgeId })
        await publishToOtherProjects(emit, there, placesOf(before))
        // The decks lose their keys.
        for (const { serial } of before.decks)
          await emit({ topic: edgeNodeTopic, name: deckEvent, data: { edgeId, serial } })
        // All nodes then cancel the job lines that the edge has not received.
        await emit(jobsDue({ edges: [edgeId] }))
        return { to: target }
      })
      return shownOne(who.caller, await found(there))
    },

    async remove(who: Who, place: Place): Promise<void> {
      await change(place, who, 'edge.removed', async (trx, emit, before) => {
        await createEdgeRepository(trx).remove(place.projectId, place.edgeId)
        await publishTokenChange(emit, place.edgeId)
        await publishToOtherProjects(emit, place, placesOf(before))
        return {}
      })
    },

    addInstance: (who: Who, place: Place, label: string): Promise<Edge> =>
      change(place, who, 'edge.changed', async (trx) => {
        const within = createEdgeRepository(trx)
        if (!(await within.addInstance(place.edgeId, label))) throw new AppError('TOO_MANY_INSTANCES')
        await within.touch(place.projectId, place.edgeId, who.caller.personId)
        return { instance: label }
      }),

    /** Updates an instance. The caller must be able to edit the project that receives the instance. */
    async updateInstance(
      who: Who,
      place: Place,
      instanceId: string,
      { label, project }: BodyOf<typeof edgeEndpoints.updateInstance>,
    ): Promise<Edge> {
      const target = project === place.projectId ? null : project
      if (typeof target === 'string') await projects.checkEdited(who.caller, target)
      return change(place, who, 'edge.changed', async (trx, emit, before) => {
        const instance = before.instances.find(({ _id }) => _id === instanceId)
        if (instance === undefined) throw new AppError('NOT_FOUND')
        const changes = {
          ...(label !== undefined && label !== instance.label && { label }),
          ...(target !== undefined &&
            (target ?? place.projectId) !== instance.project._id && { project: target }),
        }
        if (Object.keys(changes).length === 0) return 'nothing'
        const within = createEdgeRepository(trx)
        await within.updateInstance(place.edgeId, instanceId, changes)
        await within.touch(place.projectId, place.edgeId, who.caller.personId)
        await publishToOtherProjects(emit, place, [
          instance.project._id,
          ...(typeof target === 'string' ? [target] : []),
        ])
        return { instance: label ?? instance.label, ...(project !== undefined && { assignedTo: target }) }
      })
    },

    removeInstance: (who: Who, place: Place, instanceId: string): Promise<Edge> =>
      change(place, who, 'edge.changed', async (trx, emit, before) => {
        const instance = before.instances.find(({ _id }) => _id === instanceId)
        if (instance === undefined) throw new AppError('NOT_FOUND')
        if (instance.isReported) throw new AppError('INSTANCE_IS_REPORTED')
        const within = createEdgeRepository(trx)
        await within.removeInstance(place.edgeId, instanceId)
        await within.touch(place.projectId, place.edgeId, who.caller.personId)
        await publishToOtherProjects(emit, place, [instance.project._id])
        return { instance: instance.label, removed: true }
      }),

    async restart(who: Who, place: Place, instanceId: string | undefined): Promise<Task> {
      const edge = await online(place)
      const instance = edge.instances.find(({ _id }) => _id === instanceId)
      if (instanceId !== undefined && instance === undefined) throw new AppError('NOT_FOUND')
      if (instance !== undefined && !instance.canRestart) throw new AppError('EDGE_CANNOT')
      const payload = { edgeId: edge._id, key: instance?.key ?? null }
      const what = instance === undefined ? edge.label : `${instance.label} (${edge.label})`
      return begin(place, who, {
        type: 'edge-restart',
        title: titleOf(what),
        payload,
        event: 'edge.restarted',
        detail: { label: edge.label, ...(instance !== undefined && { instance: instance.label }) },
      })
    },

    /** Starts or stops a program. */
    async runProgram(
      who: Who,
      { instanceId, ...place }: Place & { instanceId: string },
      verb: ProgramPayload['verb'],
    ): Promise<Task> {
      const { edge, label, key } = await programOf(place, instanceId)
      return begin(place, who, {
        type: `edge-${verb}`,
        title: titleOf(`${label} (${edge.label})`),
        payload: { edgeId: edge._id, key, verb },
        event: verb === 'start' ? 'edge.program-started' : 'edge.program-stopped',
        detail: { label: edge.label, instance: label },
      })
    },

    /** Returns lines of a program's log, from its edge. */
    async log(
      { instanceId, ...place }: Place & { instanceId: string },
      { after, before }: QueryOf<typeof edgeProgramEndpoints.log>,
    ) {
      const { edge, key } = await programOf(place, instanceId)
      const program = { edgeId: edge._id, key }
      const last = Number(after ?? 0)
      return before === undefined
        ? logs.newest(program, last)
        : logs.read(program, { after: last, before: Number(before) })
    },

    async logFile({ instanceId, ...place }: Place & { instanceId: string }): Promise<AsyncIterable<string>> {
      const { edge, key } = await programOf(place, instanceId)
      return logs.file({ edgeId: edge._id, key })
    },

    async diagnose(who: Who, place: Place): Promise<Task> {
      const edge = await online(place)
      return begin(place, who, {
        type: 'edge-diagnostics',
        title: titleOf(edge.label),
        payload: { edgeId: edge._id },
        event: 'edge.diagnosed',
        detail: { label: edge.label },
      })
    },

    async updateAgent(who: Who, place: Place): Promise<Task> {
      const edge = await online(place)
      if (edge.report?.update?.isReady !== true) throw new AppError('EDGE_CANNOT')
      return begin(place, who, {
        type: 'edge-update',
        title: titleOf(edge.label),
        payload: { edgeId: edge._id },
        event: 'edge.update-ordered',
        detail: { label: edge.label, version: agentVersion },
        alongside: (trx) => updates.recordOrder(trx, edge._id),
      })
    },

    async setDeck(
      who: Who,
      place: Place & { serial: string },
      { brightness, picture }: BodyOf<typeof edgeEndpoints.setDeck>,
    ): Promise<Edge> {
      const { serial, edgeId } = place
      const bytes = typeof picture === 'string' ? Buffer.from(picture, 'base64') : picture
      if (Buffer.isBuffer(bytes)) await checkPicture(bytes)
      return change(place, who, 'edge.changed', async (trx, emit, before) => {
        if (!knowsDeck(before, serial)) throw new AppError('NOT_FOUND')
        const within = createEdgeRepository(trx)
        await within.setDeck(edgeId, serial, { brightness, picture: bytes })
        await within.touch(place.projectId, edgeId, who.caller.personId)
        await emit({ topic: edgeNodeTopic, name: deckEvent, data: { edgeId, serial } })
        return { deck: serial }
      })
    },
  }
}
export type EdgeService = ReturnType<typeof createEdgeService>

/** Returns the expiry of a code that was created in the same transaction, so it cannot have been redeemed. */
const endOfCode = ({ codeExpiresAt }: Edge) => codeExpiresAt as string

/** Limits a title to the maximum length of task titles. */
const titleOf = (what: string) => firstCharacters(what, limits.labelMax)
