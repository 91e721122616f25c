import * as z from 'zod/mini'
import { done, pageOf, pageQuery } from './collection.ts'
import { endpoint } from './endpoint.ts'
import type { ErrorCode } from './errors.ts'

/*
 * The generic resource: one scheme of calls for every collection that has nothing special about it. Whoever knows one
 * resource knows all.
 */

export const resourceErrors = {
  REVISION_CONFLICT: { status: 409, message: 'Somebody else has changed this meanwhile' },
} as const

interface ResourceDescription<
  Item extends z.ZodMiniType,
  Input extends z.ZodMiniType,
  Change extends z.ZodMiniType,
> {
  /** What one record is called, for the documentation: "note". */
  name: string
  item: Item
  /** What creates a record. */
  input: Input
  /** What changes one: every field may be left out. */
  change: Change
  /** The codes that its calls answer beside those of the scheme. */
  errors?: readonly ErrorCode[]
}

/**
 * Declares the calls of a resource below its path: list, create, read, update, remove, removeAll, exec. The id of a
 * record stands in the path as `:itemId`.
 *
 * @example const noteEndpoints = resource('/projects/:projectId/notes', { name: 'note', item: note, input, change })
 */
// @__NO_SIDE_EFFECTS__
export function resource<
  const Path extends string,
  Item extends z.ZodMiniType,
  Input extends z.ZodMiniType,
  Change extends z.ZodMiniType,
>(path: Path, { name, item, input, change, errors = [] }: ResourceDescription<Item, Input, Change>) {
  const seen = ['UNAUTHENTICATED', 'NOT_FOUND', ...errors] as const
  const written = [...seen, 'FORBIDDEN'] as const
  return {
    list: endpoint('GET', path, {
      summary: `Lists ${name} records, page by page.`,
      query: pageQuery,
      reply: pageOf(item),
      errors: seen,
    }),
    create: endpoint('POST', path, {
      summary: `Creates a ${name}. Repeatable with an Idempotency-Key.`,
      body: input,
      reply: item,
      errors: written,
    }),
    read: endpoint('GET', `${path}/:itemId` as const, {
      summary: `Reads a ${name}.`,
      reply: item,
      errors: seen,
    }),
    update: endpoint('PUT', `${path}/:itemId` as const, {
      summary: `Changes the fields of a ${name} that are sent.`,
      body: change,
      reply: item,
      errors: [...written, 'REVISION_CONFLICT'],
    }),
    remove: endpoint('DELETE', `${path}/:itemId` as const, {
      summary: `Deletes a ${name}.`,
      reply: done,
      errors: written,
    }),
    removeAll: endpoint('DELETE', path, {
      summary: `Deletes every ${name} of this path. For root.`,
      reply: done,
      errors: written,
    }),
    exec: endpoint('POST', `${path}/:itemId/exec/:command` as const, {
      summary: `Runs a command on a ${name}. A command that it does not know is a 404.`,
      body: z.strictObject({ cmdPayload: z.optional(z.unknown()) }),
      reply: item,
      errors: written,
    }),
  }
}
