import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type Schema = z.ZodMiniType
type Infer<S> = S extends Schema ? z.infer<S> : undefined

/** The parameter names of a path: `'/bift/redeem/:token'` gives `'token'`. */
type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

interface Description {
  /** One sentence for the reader of the API documentation. */
  summary: string
  /** The query string's fields. */
  query?: Schema
  /** The JSON body. Without it a call carries none, or an empty object. */
  body?: Schema
  /** The JSON of a successful answer (200). The server sends no field that it does not declare. */
  reply: Schema
  /** The codes that this call answers beside those every call may answer. */
  errors?: readonly ErrorCode[]
}

/** One call of the API: everything that the server, the console and the documentation need to know about it. */
export interface Endpoint<
  Path extends string = string,
  Query = Schema | undefined,
  Body = Schema | undefined,
  Reply extends Schema = Schema,
> {
  readonly method: Method
  /** Below `apiBase`, with `:name` for each parameter. */
  readonly path: Path
  readonly summary: string
  readonly query: Query
  readonly body: Body
  readonly reply: Reply
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
  const { summary, query, body, reply, errors = [] } = description
  return { method, path, summary, query, body, reply, errors } as never
}
