import {
  apiBase,
  type BodyOf,
  type Edge,
  type EdgeReport,
  type EdgeWithInstances,
  type edgeEndpoints,
  edgeSocketPath,
  type Task,
} from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { createOnce } from '#platform/database/idempotency.ts'
import type { Page, PageQuery } from '#platform/database/page.ts'
import { refuseStale } from '#platform/database/revision.ts'
import type { Database } from '#platform/database/schema.ts'
import { networkOf } from '#platform/http/client-address.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Log } from '#platform/log.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { SocketDoor } from '#platform/realtime/handshake.ts'
import { hashToken, newToken } from '#platform/secrets.ts'
import type { AuditEvent, AuditService } from '../audit/audit.service.ts'
import type { Attempts, WindowPolicy } from '../auth/attempts.ts'
import type { ProjectService } from '../projects/project.service.ts'
import type { TaskKind } from '../tasks/task-kind.ts'
import { type Agent, createAgentDoor } from './agents/agent-door.ts'
import { createPresence } from './agents/presence.ts'
import { createAlerts } from './alerts/alerts.ts'
import { createEdgeCommands } from './commands/edge-commands.ts'
import {
  createDiagnosticsKind,
  createRestartKind,
  type DiagnosticsPayload,
  type RestartPayload,
} from './commands/edge-kinds.ts'
import { checkPicture } from './decks/deck-picture.ts'
import { createEdgeDecks, deckEvent } from './decks/edge-decks.ts'
import { createEdgeRepository } from './edge.repository.ts'
import { hashEdgeCode, newEdgeCode } from './edge-code.ts'
import { edgeNodeTopic, tellEdgeChanged } from './edge-news.ts'

/** What is begun as a task of a project, in the transaction that writes down who wanted it. */
type StartTask = (
  trx: Transaction<Database>,
  emit: Emit,
  order: {
    projectId: string
    type: string
    title: string
    createdBy: string
    payload: RestartPayload | DiagnosticsPayload
  },
) => Promise<Task>

interface EdgeServiceParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  attempts: Attempts
  mailer: Mailer
  projects: Pick<ProjectService, 'read' | 'checkEdited' | 'readersAmong'>
  startTask: StartTask
  publicUrl: string
  log: Log
}

/** Wide enough for a van full of edges behind one address. */
const codePolicy: WindowPolicy = { kind: 'edge-code', most: 100, seconds: 600 }

interface Place {
  projectId: string
  edgeId: string
}

interface Who {
  caller: Caller
  address: string
}

/** The edges of projects. That the caller holds the role has been checked. */
export function createEdgeService(parts: EdgeServiceParts) {
  const { db, events, audit, attempts, mailer, projects, startTask, publicUrl, log } = parts
  const edges = createEdgeRepository(db)

  const door = createAgentDoor({
    findByToken: (tokenHash) => presence.findByToken(tokenHash),
    onAnswer: (agent, answer) => commands.onAnswer(agent, answer),
    onReport: (agent: Agent, before: EdgeReport | null) => decks.onReport(agent, before),
    log,
  })
  const presence = createPresence({ db, events, door, log })
  const commands = createEdgeCommands({ db, events, door })
  const decks = createEdgeDecks({ db, events, door, log })
  const alerts = createAlerts({ db, events, mailer, publicUrl, log })
  events.listen(({ topic, name, data }) => {
    if (topic !== edgeNodeTopic || name !== 'edge:token-changed') return
    door
      .checkToken(String(data['edgeId']))
      .catch((err: unknown) => log.warn({ err }, 'the token of an edge could not be looked up'))
  })

  async function found({ projectId, edgeId }: Place, from = edges): Promise<Edge> {
    const edge = await from.find(projectId, edgeId)
    if (edge === undefined) throw new AppError('NOT_FOUND')
    return edge
  }

  /** Names of projects that the reader does not see are left out. */
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

  /** A change of one edge: its row is locked, its audit row and its event are of the same transaction. */
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
      await tellEdgeChanged(emit, projectId, { id: edgeId, op: after ? 'upsert' : 'remove', ...revision })
      return after ?? before
    })
    return shownOne(caller, edge)
  }

  /** Those who choose among the instances of another project read them again. */
  async function tellPlaces(
    emit: Emit,
    { projectId, edgeId }: Place,
    projectIds: readonly string[],
  ): Promise<void> {
    for (const other of new Set(projectIds))
      if (other !== projectId) await tellEdgeChanged(emit, other, { id: edgeId })
  }

  const placesOf = ({ instances }: Edge) => instances.map(({ project }) => project._id)

  const tellTokenChanged = (emit: Emit, edgeId: string) =>
    emit({ topic: edgeNodeTopic, name: 'edge:token-changed', data: { edgeId } })

  const begin = (
    { projectId, edgeId }: Place,
    { caller, address }: Who,
    {
      event,
      detail,
      ...order
    }: { event: AuditEvent; detail: Record<string, unknown> } & Pick<
      Parameters<StartTask>[2],
      'type' | 'title' | 'payload'
    >,
  ): Promise<Task> =>
    events.transaction(async (trx, emit) => {
      const { personId } = caller
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

  async function online(place: Place): Promise<Edge> {
    const edge = await found(place)
    if (edge.state !== 'online') throw new AppError('EDGE_OFFLINE')
    return edge
  }

  return {
    /** Where agents connect. */
    doors: new Map<string, SocketDoor>([[apiBase + edgeSocketPath, door.open]]),

    kinds: [createRestartKind(commands), createDiagnosticsKind(commands)] as unknown as readonly TaskKind[],

    start(): void {
      presence.start()
      alerts.start()
    },

    async stop(): Promise<void> {
      await door.close()
      await Promise.all([presence.stop(), alerts.stop()])
    },

    async list(caller: Caller, projectId: string, query: PageQuery): Promise<Page<Edge>> {
      const page = await edges.list(projectId, query)
      return { ...page, items: await shown(caller, page.items) }
    },

    read: async (caller: Caller, place: Place): Promise<Edge> => shownOne(caller, await found(place)),

    async assignedTo(caller: Caller, projectId: string): Promise<EdgeWithInstances[]> {
      await projects.read(caller, projectId)
      return edges.assignedTo(projectId)
    },

    async enrol(
      { caller, address }: Who,
      projectId: string,
      label: string,
      idempotencyKey: string | undefined,
    ): Promise<{ edge: Edge; code: string; expiresAt: string }> {
      // A code is not kept, so that a repeated call makes another one for the same edge.
      const code = newEdgeCode()
      const codeHash = hashEdgeCode(code)
      const { personId } = caller
      const edge = await events.transaction(async (trx, emit) => {
        const within = createEdgeRepository(trx)
        const path = `/projects/${projectId}/edges`
        const { id, isNew } = await createOnce(trx, { personId, path, key: idempotencyKey }, async () => {
          const added = await within.add(projectId, label, codeHash, personId)
          if (added === undefined) throw new AppError('TOO_MANY_EDGES')
          return added
        })
        if (!isNew && (await within.setCode(projectId, id, codeHash, personId)) === undefined)
          throw new AppError('NOT_FOUND')
        const row = { result: 'success', actorId: personId, target: id, projectId, address } as const
        const event = isNew ? 'edge.created' : 'edge.code-made'
        await audit.within(trx).record({ ...row, event, detail: { label } })
        await tellEdgeChanged(emit, projectId, { id })
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

    /** By anybody who has a code. A try is counted before it is made. */
    async redeem(code: string, address: string): Promise<{ edge: string; label: string; token: string }> {
      const network = networkOf(address)
      await attempts.admitInWindow(codePolicy, network)
      const token = newToken()
      const enrolled = await events.transaction(async (trx, emit) => {
        const edge = await createEdgeRepository(trx).redeem(hashEdgeCode(code), hashToken(token))
        if (edge === undefined) return undefined
        const { id, projectId, label, revision } = edge
        await audit.within(trx).record({
          event: 'edge.enrolled',
          result: 'success',
          target: id,
          projectId,
          address,
          detail: { label },
        })
        await tellTokenChanged(emit, id)
        await tellEdgeChanged(emit, projectId, { id, revision })
        return edge
      })
      if (enrolled === undefined) throw new AppError('EDGE_CODE_NOT_VALID')
      await attempts.forgive(codePolicy, network)
      return { edge: enrolled.id, label: enrolled.label, token }
    },

    update: (
      who: Who,
      place: Place,
      { label, alertAfter }: BodyOf<typeof edgeEndpoints.update>,
      revision: number | undefined,
    ): Promise<Edge> =>
      change(place, who, 'edge.changed', async (trx, _emit, before) => {
        refuseStale(before, revision)
        const changes = {
          ...(label !== undefined && label !== before.label && { label }),
          ...(alertAfter !== undefined && alertAfter !== before.alertAfter && { alertAfter }),
        }
        if (Object.keys(changes).length === 0) return 'nothing'
        await createEdgeRepository(trx).update(place.projectId, place.edgeId, changes, who.caller.personId)
        return { changed: changes }
      }),

    revoke: (who: Who, place: Place): Promise<Edge> =>
      change(place, who, 'edge.revoked', async (trx, emit) => {
        await createEdgeRepository(trx).revoke(place.projectId, place.edgeId, who.caller.personId)
        await tellTokenChanged(emit, place.edgeId)
        return {}
      }),

    async remove(who: Who, place: Place): Promise<void> {
      await change(place, who, 'edge.removed', async (trx, emit, before) => {
        await createEdgeRepository(trx).remove(place.projectId, place.edgeId)
        await tellTokenChanged(emit, place.edgeId)
        await tellPlaces(emit, place, placesOf(before))
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

    /** Another project is one that the caller may edit: it is given something that it did not have. */
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
        await tellPlaces(emit, place, [instance.project._id, ...(typeof target === 'string' ? [target] : [])])
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
        await tellPlaces(emit, place, [instance.project._id])
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

    async setDeck(
      who: Who,
      place: Place & { serial: string },
      { brightness, picture }: BodyOf<typeof edgeEndpoints.setDeck>,
    ): Promise<Edge> {
      const { serial, edgeId } = place
      const bytes = typeof picture === 'string' ? Buffer.from(picture, 'base64') : picture
      if (Buffer.isBuffer(bytes)) await checkPicture(bytes)
      return change(place, who, 'edge.changed', async (trx, emit, before) => {
        const isKnown =
          before.report?.decks.devices.some((deck) => deck.serial === serial) === true ||
          before.decks.some((deck) => deck.serial === serial)
        if (!isKnown) throw new AppError('NOT_FOUND')
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

/** Of a code that was made in the transaction that read the edge: nobody can have used it before. */
const endOfCode = ({ codeExpiresAt }: Edge) => codeExpiresAt as string

/** No longer than the title of a task may be. */
const titleOf = (what: string) => [...what].slice(0, 200).join('')
