import type { ErrorCode, ErrorReply } from '@pult/contract'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { AppError } from '../app-error.ts'
import { isUnavailable } from '../database/database.ts'
import { type Language, languageOf, say } from '../language.ts'
import type { Log } from '../log.ts'
import { sentenceOf } from './error-messages.ts'
import { issueMessage } from './issue-messages.ts'

/** Fastify's own refusals, in our words. */
const refusals: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_EMPTY_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
}

/**
 * Two changes that PostgreSQL lets only one of happen: a record that goes while another begins to refer to it, and two that
 * wait for each other. The one that is told to come again then finds what has become of it.
 */
const atTheSameMoment: ReadonlySet<string> = new Set(['23503', '40001', '40P01'])

/** The one place where an error becomes an answer: `{code, message}`, never more than the contract says. */
export function answerErrors(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = refusalOf(error, languageOf(request.headers['accept-language']))
    if (refusal.status >= 500) {
      log[refusal.code === 'INTERNAL' ? 'error' : 'warn'](
        {
          err: error.cause instanceof Error ? error.cause : error,
          route: request.routeOptions.url,
          request: request.id,
        },
        refusal.code === 'INTERNAL' ? 'a call failed' : refusal.message,
      )
    }
    return answer(reply, refusal)
  })

  app.setNotFoundHandler((_request: FastifyRequest, reply) => answer(reply, new AppError('NOT_FOUND')))
}

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
  // A text that PostgreSQL can not hold, such as one with a NUL: https://www.postgresql.org/docs/current/errcodes-appendix.html
  if (error.code === '22021' || error.code === '22P05') return new AppError('VALIDATION_FAILED')
  if (atTheSameMoment.has(error.code)) return new AppError('BUSY', { retryAfter: 1 })
  if (isUnavailable(error)) return new AppError('DATABASE_UNAVAILABLE', { retryAfter: 2 })
  // What Fastify and its parsers refuse for the client's sake; their words may quote the request.
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError(error.statusCode === 404 ? 'NOT_FOUND' : 'VALIDATION_FAILED')
  }
  return new AppError('INTERNAL')
}

export function answer(reply: FastifyReply, error: AppError): FastifyReply {
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
  const language = languageOf(reply.request.headers['accept-language'])
  const body: ErrorReply = { code: error.code, message: say(sentenceOf(error), language) }
  if (error.issues !== undefined) body.issues = error.issues
  if (error.data !== undefined) body.detail = error.data
  return reply.code(error.status).header('cache-control', 'no-store').send(body)
}
