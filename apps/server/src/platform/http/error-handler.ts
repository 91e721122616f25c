import { apiBase, type ErrorCode, type ErrorReply, systemEndpoints } from '@pult/contract'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { AppError } from '../app-error.ts'
import { refusalOf as refusalOfDatabase } from '../database/database.ts'
import { explainFault } from '../database/database-fault.ts'
import { type Language, languageOf, textIn } from '../language.ts'
import type { Log } from '../log.ts'
import { conflictCodes } from '../transient.ts'
import { sentenceOf } from './error-messages.ts'
import { issueMessage, ownIssueMessage } from './issue-messages.ts'

/** Maps Fastify's errors to codes of the contract. */
const refusals: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_EMPTY_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
}

/**
 * Errors of concurrent changes that exclude each other, for example the deletion of a record to which another change
 * refers. A retry finds the new state.
 */
const conflictingChanges: ReadonlySet<string> = new Set(['23503', ...conflictCodes])

/** During an outage every call fails: a cause that has not changed is logged again after this many milliseconds. */
const repeatAfter = 60_000

/** Converts every error to `{code, message}`, and never to more than the contract declares. */
export function answerErrors(app: FastifyInstance, log: Log, isDiskFull: () => boolean): void {
  let outage = { cause: '', until: 0 }

  /** Returns the line for an unavailable database; undefined if the log has it already. */
  function lineOfOutage(error: unknown): string | undefined {
    const cause = explainFault(error)
    if (cause === outage.cause && performance.now() < outage.until) return undefined
    outage = { cause, until: performance.now() + repeatAfter }
    return `a call failed, because the database is not available: ${cause}`
  }

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const found = refusalOf(error, languageOf(request.headers['accept-language']))
    // PostgreSQL stops when it cannot write its log.
    const isForSpace = found.code === 'DATABASE_UNAVAILABLE' && isDiskFull()
    const refusal = isForSpace ? new AppError('SERVER_DISK_FULL') : found
    // Logged once, not for each call or probe: a full disk, and why the server is not ready.
    const isKnown = refusal.code === 'SERVER_DISK_FULL' || (refusal.status === 503 && isHealthCheck(request))
    if (refusal.status >= 500 && !isKnown) {
      const outageLine = refusal.code === 'DATABASE_UNAVAILABLE' ? lineOfOutage(error) : refusal.message
      log[refusal.code === 'INTERNAL' ? 'error' : outageLine === undefined ? 'debug' : 'warn'](
        {
          err: error.cause instanceof Error ? error.cause : error,
          route: request.routeOptions.url,
          request: request.id,
        },
        refusal.code === 'INTERNAL' ? 'a call failed' : (outageLine ?? refusal.message),
      )
    }
    return answer(reply, refusal)
  })

  app.setNotFoundHandler((_request: FastifyRequest, reply) => answer(reply, new AppError('NOT_FOUND')))
}

const isHealthCheck = (request: FastifyRequest) =>
  request.routeOptions.url === `${apiBase}${systemEndpoints.ready.path}`

function refusalOf(error: FastifyError, language: Language): AppError {
  if (error instanceof AppError) return error
  if (hasZodFastifySchemaValidationErrors(error)) {
    const issues = error.validation.map((issue) => ({
      path: issue.instancePath.split('/').slice(1),
      message: issueMessage(issue.message ?? '', { code: issue.keyword, ...issue.params }, language),
    }))
    return new AppError('VALIDATION_FAILED', { issues })
  }
  const known = refusals[error.code]
  if (known !== undefined) return new AppError(known)
  // PostgreSQL cannot store the text, for example one with a NUL:
  // https://www.postgresql.org/docs/current/errcodes-appendix.html
  if (error.code === '22021' || error.code === '22P05') return new AppError('VALIDATION_FAILED')
  if (conflictingChanges.has(error.code)) return new AppError('BUSY', { retryAfter: 1 })
  const refusal = refusalOfDatabase(error)
  if (refusal instanceof AppError) return refusal
  // Client errors of Fastify and its parsers. Their messages may quote the request.
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError(error.statusCode === 404 ? 'NOT_FOUND' : 'VALIDATION_FAILED')
  }
  return new AppError('INTERNAL')
}

export function answer(reply: FastifyReply, error: AppError): FastifyReply {
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
  const language = languageOf(reply.request.headers['accept-language'])
  const body: ErrorReply = { code: error.code, message: textIn(sentenceOf(error), language) }
  if (error.issues !== undefined)
    body.issues = error.issues.map(({ path, message }) => ({
      path,
      message: ownIssueMessage(message, language),
    }))
  if (error.data !== undefined) body.detail = error.data
  return reply.code(error.status).header('cache-control', 'no-store').send(body)
}
