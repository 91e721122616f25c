import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { AppError } from '../app-error.ts'
import type { Database } from '../database/schema.ts'
import { recently } from '../http/recent-sign-in.ts'
import { type Caller, type Permission, route } from '../http/route.ts'
import type { Events } from '../realtime/events.ts'
import type { Resource, ResourceCommand, ResourceEndpoints, ResourceItem } from './resource.ts'
import { createResourceCalls } from './resource-calls.ts'

/** Registers the calls of a resource for a room that describes its records. */
export function addResourceRoutes<E extends ResourceEndpoints>(
  app: FastifyInstance,
  endpoints: E,
  { db, events, ...described }: Resource<E> & { db: Kysely<Database>; events: Events },
): void {
  // From here on, only the room's own store knows the type of a record.
  const resource = described as unknown as Resource<ResourceEndpoints>
  const { list, create, read, update, remove, restore, removeAll, exec }: ResourceEndpoints = endpoints
  const { allow, commands } = resource
  const calls = createResourceCalls({ db, events, resource, path: list.path })

  route(app, list, { allow: allow.read }, ({ query, ...call }) => calls.list(call, query))

  route(app, create, { allow: allow.create ?? allow.write }, ({ body, idempotencyKey, ...call }) =>
    calls.create(call, body, idempotencyKey),
  )

  route(app, read, { allow: allow.read }, (call) => calls.read(itemCall(call)))

  route(app, update, { allow: allow.write }, ({ body, revision, ...call }) =>
    calls.update(itemCall(call), body as object, revision),
  )

  route(app, remove, { allow: allow.write }, async (call) => {
    await calls.remove(itemCall(call))
    return true as const
  })

  if (restore !== undefined)
    route(app, restore, { allow: allow.write }, (call) => calls.restore(itemCall(call)))

  route(app, removeAll, { allow: recently(allow.removeAll) }, async (call) => {
    await calls.removeAll(call)
    return true as const
  })

  route(app, exec, { allow: ofCommand(allow.read, commands) }, ({ body, ...call }) => {
    const { command } = call.params as { command: string }
    return calls.exec(itemCall(call), command, body.cmdPayload)
  })
}

const itemCall = <Call extends object>(call: Call & { params: object }) => ({
  ...call,
  itemId: (call.params as { itemId: string }).itemId,
})

/** Each command has its own permission. Readers of the records may learn that a command does not exist. */
const ofCommand = (
  read: Permission<Caller>,
  commands: ReadonlyMap<string, ResourceCommand<ResourceItem>>,
): Permission<Caller> => ({
  name:
    commands.size === 0
      ? read.name
      : [...commands].map(([name, { allow }]) => `${name}: ${allow.name}`).join('; '),
  async decide(caller, params) {
    const command = commands.get(params['command'] ?? '')
    if (command !== undefined) return command.allow.decide(caller, params)
    await read.decide(caller, params)
    throw new AppError('NOT_FOUND')
  },
})
