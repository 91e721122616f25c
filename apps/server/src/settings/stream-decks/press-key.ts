import type { DeckAction, ReplyOf, streamDeckEndpoints, Task } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { Caller, Permission } from '#platform/http/route.ts'
import type { Log } from '#platform/log.ts'
import { isTransient } from '#platform/transient.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { EdgeService } from '../../edges/edge.service.ts'
import { type FindProject, openedApp } from '../../extensions/app-access.ts'
import type { ProductRegistry } from '../../extensions/manifests/product-registry.ts'
import type { TaskService } from '../../tasks/task.service.ts'

export type Pressed = ReplyOf<typeof streamDeckEndpoints.press>

/** Starts a task as its own call does, with the same permission and audit entry. */
export type StartTask = (caller: Caller, projectId: string, address: string) => Promise<Pick<Task, '_id'>>

interface KeyActionsParts {
  products: ProductRegistry
  findProject: FindProject
  tasks: Pick<TaskService, 'list' | 'abort'>
  /** Tasks that users can start, by type. */
  startable: ReadonlyMap<string, StartTask>
  /** Permission to see the edges of a project. */
  edgeReaders: Permission<Caller>
  findEdge: (caller: Caller, place: { projectId: string; edgeId: string }) => Promise<unknown>
  /** Permission to restart programs on the edges of a project. */
  edgeManagers: Permission<Caller>
  edges: Pick<EdgeService, 'projectOfAssigned' | 'restart'>
}

/** Pages of the console that keys open. */
const pages = { tasks: '/tasks', edge: (edgeId: string) => `/app/edges/edit/${edgeId}` } as const

/** The user of a key and the network address. */
interface Who {
  caller: Caller
  address: string
}

/** Performs the actions of keys. A key grants no permission: each action is authorised as on its own page. */
export function createKeyActions(parts: KeyActionsParts) {
  const { products, findProject, tasks, startable, edgeReaders, findEdge, edgeManagers, edges } = parts

  async function act(who: Who, action: DeckAction): Promise<Pressed> {
    const { caller } = who
    switch (action.type) {
      case 'url':
        return { open: action.url, project: null, task: null }
      case 'app': {
        const { app: appId, project: projectId } = action
        await openedApp({ findApp: products.findApp, findProject }, caller, { appId, projectId })
        return { open: `/app/${appId}`, project: projectId, task: null }
      }
      case 'task':
        return actOnTask(who, action)
      case 'edge': {
        const { edge: edgeId, project: projectId } = action
        await edgeReaders.decide(caller, { projectId })
        await findEdge(caller, { projectId, edgeId })
        return { open: pages.edge(edgeId), project: projectId, task: null }
      }
      case 'instance': {
        const { edge: instanceId, edgeId } = action
        const projectId = await edges.projectOfAssigned(caller, action)
        await edgeManagers.decide(caller, { projectId })
        const { _id } = await edges.restart(who, { projectId, edgeId }, instanceId)
        return { open: null, project: projectId, task: _id }
      }
    }
  }

  async function actOnTask(
    { caller, address }: Who,
    { verb, task: type, project: projectId }: Extract<DeckAction, { type: 'task' }>,
  ): Promise<Pressed> {
    await findProject(caller, projectId)
    if (verb === 'show') return { open: pages.tasks, project: projectId, task: null }
    if (verb === 'start') {
      const start = startable.get(type)
      if (start === undefined) throw new AppError('UNKNOWN_TASK_TYPE')
      const { _id } = await start(caller, projectId, address)
      return { open: null, project: projectId, task: _id }
    }
    const open = { state: 'open', search: `type:${type}`, limit: '200' } as const
    const { items } = await tasks.list(caller, projectId, open)
    const newest = items.find((task) => task.type === type)
    if (newest === undefined) throw new AppError('NOTHING_TO_ABORT')
    const { _id } = await tasks.abort(caller, { projectId, taskId: newest._id }, address)
    return { open: null, project: projectId, task: _id }
  }

  return act
}
type ActOnKey = ReturnType<typeof createKeyActions>

/** The pressed key with its user and network address. */
interface Press extends Who {
  slot: number
  key: number
}

interface PressKeyParts {
  audit: Pick<AuditService, 'recordDone'>
  act: ActOnKey
  log: Log
}

/** Performs the action of a key of a browser's deck. Each press is audited. */
export function createPressKey({ audit, act, log }: PressKeyParts) {
  function record({ caller, slot, key, address }: Press, action: DeckAction, code?: string): Promise<void> {
    const project = 'project' in action ? action.project : null
    return audit.recordDone(log, {
      event: 'deck-key.pressed',
      result: code === undefined ? 'success' : 'failure',
      actorId: caller.personId,
      ...(project !== null && { target: project, projectId: project }),
      address,
      detail: { slot, key, action, ...(code !== undefined && { code }) },
    })
  }

  return async (press: Press, action: DeckAction): Promise<Pressed> => {
    let pressed: Pressed
    try {
      pressed = await act(press, action)
    } catch (error) {
      if (error instanceof AppError) {
        const recorded = record(press, action, error.code)
        // After a database timeout, no time is left in this call (RULE-80).
        if (!isTransient(error)) await recorded
      }
      throw error
    }
    await record(press, action)
    return pressed
  }
}
export type PressKey = ReturnType<typeof createPressKey>
