import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type Schema = z.ZodMiniType
type Infer<S> = S extends Schema ? z.infer<S> : undefined

/** Parameter names of a path: `'/bift/redeem/:token'` has `'token'`. */
type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

interface Description {
  /** One sentence for the API reference, beginning with a verb in the third person. */
  summary: string
  /** Fields of the query string. */
  query?: Schema
  /** JSON body. Without this schema a call sends no body or an empty object. */
  body?: Schema
  /** JSON of a successful reply (200). The server sends no fields outside this schema. */
  reply: Schema
  /** Content types of a reply that is a text; `application/json` unless given. */
  replyTypes?: readonly string[]
  /** Error codes of this call, in addition to those of every call. */
  errors?: readonly ErrorCode[]
}

/** Declaration of one API call, which the server, the console and the documentation share. */
export interface Endpoint<
  Path extends string = string,
  Query = Schema | undefined,
  Body = Schema | undefined,
  Reply extends Schema = Schema,
> {
  readonly method: Method
  /** Path below `apiBase`, with `:name` for each parameter. */
  readonly path: Path
  readonly summary: string
  readonly query: Query
  readonly body: Body
  readonly reply: Reply
  readonly replyTypes: readonly string[]
  readonly errors: readonly ErrorCode[]
}

export type ParamsOf<E> =
  E extends Endpoint<infer Path, infer _Q, infer _B, infer _R> ? Record<ParamName<Path>, string> : never
export type QueryOf<E extends Endpoint> = Infer<E['query']>
export type BodyOf<E extends Endpoint> = Infer<E['body']>
export type ReplyOf<E extends Endpoint> = z.infer<E['reply']>

/** Prefix of every path in the contract. */
export const apiBase = '/api'

/**
 * Declares a call.
 *
 * @example endpoint('PUT', '/orgs/:orgId', { summary: 'Edits an organisation.', body: organisationInput, reply: organisation })
 */
// @__NO_SIDE_EFFECTS__
export function endpoint<const Path extends string, const D extends Description>(
  method: Method,
  path: Path,
  description: D,
): Endpoint<
  Path,
  D extends { query: infer Q extends Schema } ? Q : undefined,
  D extends { body: infer B extends Schema } ? B : undefined,
  D['reply']
> {
  const { summary, query, body, reply, replyTypes = ['application/json'], errors = [] } = description
  return { method, path, summary, query, body, reply, replyTypes, errors } as never
}
