import type { ReadableStream } from 'node:stream/web'
import {
  apiBase,
  type BodyOf,
  type Endpoint,
  type ErrorCode,
  errors,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from '@pult/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { AppError } from '../app-error.ts'
import { type Language, languageOf } from '../language.ts'
import { canonicalAddress } from './client-address.ts'

/** Who makes a call. */
export interface Caller {
  personId: string
  sessionId: string
  isRoot: boolean
  /** See `credentials.scope` of the contract. */
  scope: readonly string[]
  /** The person proved who they are a short time ago; see `limits.recentSignIn`. */
  isRecent: boolean
  otpEnabled: boolean
  email: string
  firstname: string
  lastname: string
}

/** Decides whether a call may be made. `Who` is what the handler is then given as `caller`. */
export interface Permission<Who = Caller | null> {
  /** As the matrix of routes and roles names it. */
  readonly name: string
  /**
   * Throws when the call may not be made. The request is there for callers that are no person: a permission that knows
   * their tokens reads them from it. To everybody else such a token is nobody's.
   */
  decide(caller: Caller | null, params: Record<string, string>, request?: FastifyRequest): Who | Promise<Who>
}

export interface Call<E extends Endpoint, Who> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  caller: Who
  /** The canonical network address of the client. */
  address: string
  userAgent: string
  /** Of who calls, for what the server says by itself. */
  language: Language
  /** The revision that a change was made from, when the caller says so (`If-Match`). */
  revision: number | undefined
  /** Tells a repeated create from a second one (`Idempotency-Key`). */
  idempotencyKey: string | undefined
  reply: FastifyReply
}

/**
 * What a handler answers. A text may be sent as it comes into being, with the content type that the handler sets: what
 * the client does not read yet is not asked of the stream, and a client that goes away ends it.
 */
export type AnswerOf<E extends Endpoint> =
  | ReplyOf<E>
  | (ReplyOf<E> extends string ? ReadableStream<string> : never)

/** One line of the route table, from which the documentation and the matrix of routes and roles are made. */
export interface RouteEntry {
  endpoint: Endpoint
  permission: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may make the call. Every route below the API's path says so, or the server does not start. */
    permission?: string
    /** The body may arrive as slowly as the route itself allows. */
    takesItsTime?: boolean
  }
  interface FastifyInstance {
    routeTable: RouteEntry[]
    /** Set by the room that knows sessions. */
    authenticate: (request: FastifyRequest) => Promise<Caller | null>
  }
}

const emptyBody = z.union([z.strictObject({}), z.null(), z.undefined()])
const errorReply = z.object({
  code: z.string(),
  message: z.string(),
  issues: z.optional(
    z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })),
  ),
  detail: z.optional(z.unknown()),
})

// Any version: an id of another kind is a record that does not exist, not a fault.
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Serves an endpoint of the contract. Without `allow` there is no route: TypeScript refuses it, and so does the start.
 * The caller is known and permitted before the body is read.
 */
export function route<E extends Endpoint, Who>(
  app: FastifyInstance,
  endpoint: E,
  options: { allow: Permission<Who> },
  handler: (call: Call<E, Who>) => Promise<AnswerOf<E>> | AnswerOf<E>,
): void {
  const allow = options.allow as Permission<Who> | undefined
  if (allow === undefined) {
    throw new Error(`The route ${endpoint.method} ${endpoint.path} declares no permission`)
  }
  app.routeTable.push({ endpoint, permission: allow.name })

  const callers = new WeakMap<FastifyRequest, Who>()
  const idNames = [...endpoint.path.matchAll(/:(\w+Id)\b/g)].map(([, name = '']) => name)
  app.route({
    method: endpoint.method,
    url: apiBase + endpoint.path,
    config: { permission: allow.name },
    schema: {
      summary: endpoint.summary,
      description: `Allowed: ${allow.name}.`,
      tags: [endpoint.path.split('/')[1] ?? ''],
      ...(endpoint.query === undefined ? {} : { querystring: endpoint.query }),
      ...(endpoint.method === 'GET' ? {} : { body: endpoint.body ?? emptyBody }),
      response: { 200: endpoint.reply, ...errorReplies(endpoint.errors) },
    },
    onRequest: async (request) => {
      const params = request.params as Record<string, string>
      const caller = await app.authenticate(request)
      for (const name of idNames) if (!uuid.test(params[name] ?? '')) throw new AppError('NOT_FOUND')
      callers.set(request, await allow.decide(caller, params, request))
    },
    handler: async (request, reply) => {
      const answer = await handler({
        params: request.params as ParamsOf<E>,
        query: request.query as QueryOf<E>,
        body: request.body as BodyOf<E>,
        caller: callers.get(request) as Who,
        // Few handlers ask for these two, and each takes longer than all the rest here.
        get address() {
          return canonicalAddress(request.ip)
        },
        get language() {
          return languageOf(request.headers['accept-language'])
        },
        userAgent: request.headers['user-agent']?.slice(0, 300) ?? '',
        revision: revisionOf(request),
        idempotencyKey: idempotencyKeyOf(request),
        reply,
      })
      const { revision } = answer as { revision?: unknown }
      if (typeof revision === 'number') reply.header('etag', `"${revision}"`)
      return answer
    },
  })
}

/** RFC 9110 13.1.1; `*` asks for nothing that a change of a known record does not have. */
function revisionOf({ headers }: FastifyRequest): number | undefined {
  const header = headers['if-match']
  if (header === undefined || header === '*') return undefined
  const revision = /^"?(\d{1,9})"?$/.exec(header)?.[1]
  if (revision === undefined)
    throw new AppError('VALIDATION_FAILED', { message: 'If-Match must carry one revision' })
  return Number(revision)
}

function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{1,200}$/.test(key)) return key
  throw new AppError('VALIDATION_FAILED', {
    message: 'The Idempotency-Key must be 1 to 200 printable characters',
  })
}

function errorReplies(codes: readonly ErrorCode[]): Record<number, z.ZodType> {
  const byStatus = new Map<number, string[]>()
  for (const code of codes) {
    const { status } = errors[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => [status, errorReply.describe(named.join(', '))]),
  )
}
