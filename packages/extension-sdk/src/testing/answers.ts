import { type Endpoint, type ErrorCode, errors } from '@pult/contract'
import { ApiError } from '../api-error.ts'

/** A recorded call of an app under test. */
export interface RecordedCall {
  /** `GET /projects/:projectId/notes` */
  name: string
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  body: unknown
  /** The revision on which a change is based. */
  revision: number | undefined
}

/** Returns the reply to a call, immediately or as a promise. */
export type Answer = (call: RecordedCall) => unknown

/**
 * Replies to calls by the endpoint's method and path: a value, or a function of the call. A reply must match the
 * endpoint's declaration. Throw a {@link failure} to reply with an error.
 *
 * @example { 'GET /projects/:projectId/notes': { items: [], total: 0 }, 'DELETE /projects/:projectId': () => { throw failure('FORBIDDEN') } }
 */
export type ApiAnswers = Readonly<Record<string, Answer | object | string | number | boolean | null>>

/** Creates an error of the API, with the contract's message for the code. */
export function failure(code: ErrorCode, facts: { issues?: ApiError['issues'] } = {}): ApiError {
  return new ApiError({ code, ...errors[code], ...facts })
}

interface CallInput {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
  revision?: number
}

/**
 * Creates the API calls of a test. Each is recorded, checked against its endpoint and answered by the first matching
 * source.
 */
export function createCalls(sources: readonly ApiAnswers[]) {
  const calls: RecordedCall[] = []
  const answers = new Map(sources.toReversed().flatMap((source) => Object.entries(source)))

  async function answer(made: RecordedCall): Promise<unknown> {
    if (!answers.has(made.name)) throw new Error(`No reply for ${made.name}. Add it to the api of renderApp.`)
    const found = answers.get(made.name)
    return typeof found === 'function' ? await (found as Answer)(made) : found
  }

  return {
    calls,
    async call(endpoint: Endpoint, input: CallInput = {}): Promise<unknown> {
      const made = record(`${endpoint.method} ${endpoint.path}`, input)
      return declared(endpoint, made.name, await answer({ ...made, body: accepted(endpoint, made.body) }))
    },
    /** Sends a file. No endpoint declares uploads, so the reply is not checked. */
    upload: async (path: string, file: Blob): Promise<unknown> =>
      answer(record(`PUT ${path}`, { body: file })),
    async download({ method, path }: Endpoint, input: CallInput = {}): Promise<void> {
      await answer(record(`${method} ${path}`, input))
    },
  }

  function record(name: string, { params = {}, query = {}, body, revision }: CallInput): RecordedCall {
    const made = { name, params, query, body, revision }
    calls.push(made)
    return made
  }
}

/** Returns the parsed body. Throws VALIDATION_FAILED for a body that the server would reject. */
function accepted({ body: schema }: Endpoint, body: unknown): unknown {
  if (schema === undefined) return body
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => ({
    path: path.map((part) => (typeof part === 'number' ? part : String(part))),
    message,
  }))
  throw failure('VALIDATION_FAILED', { issues })
}

/** Returns the parsed reply. Throws for a reply that the endpoint does not declare. */
function declared({ reply }: Endpoint, name: string, answer: unknown): unknown {
  const parsed = reply.safeParse(answer)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`The reply to ${name} does not match its endpoint: ${faults.join('; ')}`)
}
