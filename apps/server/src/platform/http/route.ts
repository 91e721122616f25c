import type { ReadableStream } from 'node:stream/web'
import {
  apiBase,
  type BodyOf,
  deviceHeader,
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
import { networkOf } from './client-address.ts'
import type { CallsInProgress } from './requests-in-flight.ts'

/** The caller of a call. */
export interface Caller {
  personId: string
  sessionId: string
  isRoot: boolean
  /** See `credentials.scope` of the contract. */
  scope: readonly string[]
  /** The user authenticated recently; see `limits.recentSignIn`. */
  isRecent: boolean
  otpEnabled: boolean
  email: string
  firstname: string
  lastname: string
}

/** Kinds of credentials in the API description. */
export type Credential = 'session' | 'taskToken' | 'metricsToken'

/** Decides whether a call is permitted. `Who` is the type of the handler's `caller`. */
export interface Permission<Who = Caller | null> {
  /** The name in the matrix of routes and roles. */
  readonly name: string
  /** Credentials of the caller, of which one suffices, for the API description; a session unless given. */
  readonly credentials?: readonly Credential[]
  /**
   * Throws if the call is not permitted. Receives the request for callers that are not users: such a permission reads
   * their tokens itself. All other permissions treat these tokens as unknown.
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
  /** The device secret of the browser, which identifies it at later sign-ins. */
  device: string | undefined
  /** The caller's language, for messages of the server. */
  language: Language
  /** The revision that the change is based on (`If-Match`), if sent. */
  revision: number | undefined
  /** The key of a repeatable create (`Idempotency-Key`). */
  idempotencyKey: string | undefined
  reply: FastifyReply
}

/**
 * The handler's reply. A text with a content type set by the handler can be a buffer, which all calls share, or a
 * stream, which is read as the client reads and ends when the client disconnects.
 */
export type AnswerOf<E extends Endpoint> =
  | ReplyOf<E>
  | (ReplyOf<E> extends string ? ReadableStream<string> | Buffer : never)

/** One row of the route table, which is the source of the documentation and the matrix of routes and roles. */
export interface RouteEntry {
  endpoint: Endpoint
  permission: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Permission of the call. Every route below the API path must declare one, or the server does not start. */
    permission?: string
    /** Lifts the time limit for the body. The route limits its time itself. */
    hasSlowBody?: boolean
  }
  interface FastifyRequest {
    /** The canonical address of the client. Computed on each access. */
    readonly clientAddress: string
  }
  interface FastifyInstance {
    routeTable: RouteEntry[]
    callsInProgress: CallsInProgress
    /** The latest proxy that forwarded a request without being trusted, since the start of this node. */
    untrustedProxy: { address: string; seenAt: string } | null
    /** The latest unreadable address that a trusted proxy has sent, as printable text. `proxy` is connected to this node. */
    unreadableHop: { proxy: string; hop: string; seenAt: string } | null
    /** Set by the session room. */
    authenticate: (request: FastifyRequest) => Promise<Caller | null>
  }
}

const noQuery = z.strictObject({})
const emptyBody = z.union([z.strictObject({}), z.null(), z.undefined()])
/** Schema of every error reply. */
export const errorReply = z.object({
  code: z.string(),
  message: z.string(),
  issues: z.optional(
    z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })),
  ),
  detail: z.optional(z.unknown()),
})

// Any UUID version: an id of another kind is an unknown record, not a fault.
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Registers an endpoint of the contract. TypeScript and the start reject a route without `allow`. The caller is
 * authenticated and authorised before the body is read. A probe of the operator is answered however many calls are in
 * progress.
 */
export function route<E extends Endpoint, Who>(
  app: FastifyInstance,
  endpoint: E,
  options: { allow: Permission<Who>; isProbe?: boolean },
  handler: (call: Call<E, Who>) => Promise<AnswerOf<E>> | AnswerOf<E>,
): void {
  const allow = options.allow as Permission<Who> | undefined
  if (allow === undefined) {
    throw new Error(`The route ${endpoint.method} ${endpoint.path} declares no permission`)
  }
  app.routeTable.push({ endpoint, permission: allow.name })

  const callers = new WeakMap<FastifyRequest, Who>()
  const people = new WeakMap<FastifyRequest, string>()
  const idNames = [...endpoint.path.matchAll(/:(\w+Id)\b/g)].map(([, name = '']) => name)
  app.route({
    method: endpoint.method,
    url: apiBase + endpoint.path,
    config: { permission: allow.name },
    schema: {
      summary: endpoint.summary,
      description: `Allowed: ${allow.name}.`,
      security: (allow.credentials ?? ['session']).map((name) => ({ [name]: [] })),
      // Monitors add parameters to probes.
      ...(options.isProbe === true ? {} : { querystring: endpoint.query ?? noQuery }),
      ...(endpoint.method === 'GET' ? {} : { body: endpoint.body ?? emptyBody }),
      response: { 200: endpoint.reply, ...errorReplies(endpoint.errors) },
    },
    onRequest: async (request) => {
      const params = request.params as Record<string, string>
      const caller = await app.authenticate(request)
      for (const name of idNames) if (!uuid.test(params[name] ?? '')) throw new AppError('NOT_FOUND')
      if (caller !== null) people.set(request, caller.personId)
      callers.set(request, await allow.decide(caller, params, request))
    },
    handler: (request, reply) =>
      options.isProbe === true
        ? answerTo(request, reply)
        : app.callsInProgress.run(people.get(request) ?? networkOf(request.clientAddress), () =>
            answerTo(request, reply),
          ),
  })

  async function answerTo(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const answer = await handler({
      params: request.params as ParamsOf<E>,
      query: request.query as QueryOf<E>,
      body: request.body as BodyOf<E>,
      caller: callers.get(request) as Who,
      // Lazy: few handlers use these two, and each takes longer than the rest of this object.
      get address() {
        return request.clientAddress
      },
      get language() {
        return languageOf(request.headers['accept-language'])
      },
      device: deviceOf(request),
      userAgent: request.headers['user-agent']?.slice(0, 300) ?? '',
      revision: revisionOf(request),
      idempotencyKey: idempotencyKeyOf(request),
      reply,
    })
    const { revision } = answer as { revision?: unknown }
    if (typeof revision === 'number') reply.header('etag', `"${revision}"`)
    return answer
  }
}

function deviceOf({ headers }: FastifyRequest): string | undefined {
  const device = headers[deviceHeader]
  return typeof device === 'string' && /^[\w-]{43}$/.test(device) ? device : undefined
}

/** RFC 9110 13.1.1. `*` requires only that the record exists, which a change checks anyway. */
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

/** One schema for all error statuses; the API description names their codes. */
const errorReplies = (codes: readonly ErrorCode[]): Record<number, z.ZodType> =>
  Object.fromEntries(codes.map((code) => [errors[code].status, errorReply]))
