import * as z from 'zod/mini'
import { done } from './collection.ts'
import { endpoint } from './endpoint.ts'
import type { ErrorCode } from './errors.ts'
import { pageOf, pageQuery } from './pages.ts'

/* Generic resources: the same calls for all ordinary collections. */

export const resourceErrors = {
  REVISION_CONFLICT: { status: 409, message: 'Another user has changed this in the meantime' },
} as const

interface ResourceDescription<
  Item extends z.ZodMiniType,
  Input extends z.ZodMiniType,
  Change extends z.ZodMiniType,
> {
  /** Noun for one record in the API reference: "note". */
  name: string
  item: Item
  /** Body of `create`. */
  input: Input
  /** Body of `update`; all fields are optional. */
  change: Change
  /** Error codes of the calls, in addition to those of every resource. */
  errors?: readonly ErrorCode[]
  /** Calls that may need a recent sign-in, in addition to `removeAll`. */
  proved?: readonly ('create' | 'update')[]
}

/**
 * Declares the `restore` call of a resource whose deleted records can be restored for ten minutes.
 *
 * @example const notes = { ...resource(path, described), ...restorable(path, { name: 'note', item: note }) }
 */
// @__NO_SIDE_EFFECTS__
export const restorable = <const Path extends string, Item extends z.ZodMiniType>(
  path: Path,
  { name, item, errors = [] }: { name: string; item: Item; errors?: readonly ErrorCode[] },
) => ({
  restore: endpoint('POST', `${path}/:itemId/restore` as const, {
    summary: `Restores a ${name} that was deleted in the last ten minutes, with its former content.`,
    reply: item,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN', ...errors],
  }),
})

/**
 * Declares the calls of a resource below its path: list, create, read, update, remove, removeAll, exec. The path
 * parameter `:itemId` is the record's id.
 *
 * @example const noteEndpoints = resource('/projects/:projectId/notes', { name: 'note', item: note, input, change })
 */
// @__NO_SIDE_EFFECTS__
export function resource<
  const Path extends string,
  Item extends z.ZodMiniType,
  Input extends z.ZodMiniType,
  Change extends z.ZodMiniType,
>(
  path: Path,
  { name, item, input, change, errors = [], proved = [] }: ResourceDescription<Item, Input, Change>,
) {
  const seen = ['UNAUTHENTICATED', 'NOT_FOUND', ...errors] as const
  const written = [...seen, 'FORBIDDEN'] as const
  const proof = ['RECENT_SIGN_IN_NEEDED'] as const
  const proofOf = (call: 'create' | 'update') => (proved.includes(call) ? proof : [])
  return {
    list: endpoint('GET', path, {
      summary: `Lists ${name} records, page by page.`,
      query: pageQuery,
      reply: pageOf(item),
      errors: seen,
    }),
    create: endpoint('POST', path, {
      summary: `Creates a ${name}; idempotent with an Idempotency-Key.`,
      body: input,
      reply: item,
      errors: [...written, ...proofOf('create')],
    }),
    read: endpoint('GET', `${path}/:itemId` as const, {
      summary: `Reads a ${name}.`,
      reply: item,
      errors: seen,
    }),
    update: endpoint('PUT', `${path}/:itemId` as const, {
      summary: `Changes the given fields of a ${name}.`,
      body: change,
      reply: item,
      errors: [...written, 'REVISION_CONFLICT', ...proofOf('update')],
    }),
    remove: endpoint('DELETE', `${path}/:itemId` as const, {
      summary: `Deletes a ${name}.`,
      reply: done,
      errors: written,
    }),
    removeAll: endpoint('DELETE', path, {
      summary: `Deletes all ${name} records of this path, for root.`,
      reply: done,
      errors: [...written, ...proof],
    }),
    exec: endpoint('POST', `${path}/:itemId/exec/:command` as const, {
      summary: `Runs a command on a ${name}; unknown commands return 404.`,
      body: z.strictObject({ cmdPayload: z.optional(z.unknown()) }),
      reply: item,
      errors: written,
    }),
  }
}
