import type { DeckAction, ReplyOf, streamDeckEndpoints, Task } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { Caller, Permission } from '#platform/http/route.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { type FindProject, openedApp } from '../../extensions/app-access.ts'
import type { ProductRegistry } from '../../extensions/manifests/product-registry.ts'
import type { TaskService } from '../../tasks/task.service.ts'

export type Pressed = ReplyOf<typeof streamDeckEndpoints.press>

/** Has a task begin as its own call does, rights and audit included. */
export type StartTask = (caller: Caller, projectId: string, address: string) => Promise<Pick<Task, '_id'>>

interface PressKeyParts {
  audit: AuditService
  products: ProductRegistry
  findProject: FindProject
  tasks: Pick<TaskService, 'list' | 'abort'>
  /** By their type, those that people start themselves. */
  startable: ReadonlyMap<string, StartTask>
  /** To see the edges of a project. */
  edgeReaders: Permission<Caller>
  findEdge: (caller: Caller, place: { projectId: string; edgeId: string }) => Promise<unknown>
}

/** Pages of the console that show what a key is about. */
const pages = { tasks: '/tasks', edge: (edgeId: string) => `/app/edges/${edgeId}` } as const

/** Who presses which key, and from where. */
interface Press {
  caller: Caller
  slot: number
  key: number
  address: string
}

/** Does what keys are for. A key gives nobody a right: each deed is decided as if it were asked for on its own page. */
export function createPressKey(parts: PressKeyParts) {
  const { audit, products, findProject, tasks, startable, edgeReaders, findEdge } = parts

  async function act(press: Press, action: DeckAction): Promise<Pressed> {
    const { caller } = press
    switch (action.type) {
      case 'url':
        return { open: action.url, project: null, task: null }
      case 'app': {
        const { app: appId, project: projectId } = action
        await openedApp({ findApp: products.findApp, findProject }, caller, { appId, projectId })
        return { open: `/app/${appId}`, project: projectId, task: null }
      }
      case 'task':
        return actOnTask(press, action)
      case 'edge': {
        const { edge: edgeId, project: projectId } = action
        await edgeReaders.decide(caller, { projectId })
        await findEdge(caller, { projectId, edgeId })
        return { open: pages.edge(edgeId), project: projectId, task: null }
      }
    }
  }

  async function actOnTask(
    { caller, address }: Press,
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

  function record({ caller, slot, key, address }: Press, action: DeckAction, code?: string): Promise<void> {
    const project = 'project' in action ? action.project : null
    return audit.record({
      event: 'deck-key.pressed',
      result: code === undefined ? 'success' : 'failure',
      actorId: caller.personId,
      ...(project !== null && { target: project, projectId: project }),
      address,
      detail: { slot, key, action, ...(code !== undefined && { code }) },
    })
  }

  return async (press: Press, action: DeckAction): Promise<Pressed> => {
    try {
      const pressed = await act(press, action)
      await record(press, action)
      return pressed
    } catch (error) {
      if (error instanceof AppError) await record(press, action, error.code)
      throw error
    }
  }
}
export type PressKey = ReturnType<typeof createPressKey>
