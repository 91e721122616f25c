import { type Logger, pino } from 'pino'
import { requestFields } from './request-context.ts'

export type Log = Logger

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * Removes quoted values from an error's message: libraries quote their input, which may be a secret. The rest still
 * identifies the fault.
 */
function withoutValues(text: string): string {
  return text.replace(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g, '"…"').replace(/[\w-]{32,}/g, '…')
}

/** Returns text from a client for a log line: shortened, and without characters that a terminal may execute. */
export const printable = (text: string): string => text.slice(0, 200).replace(/[^\x20-\x7e]/g, '?')

interface LoggedError {
  type: string
  message: string
  code?: string
  at: string[]
  cause?: LoggedError
}

/** An allowlist: of an error only its kind, its cleaned message and its code locations are logged. */
export function errorFields(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: '', at: [] }
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  const fields: LoggedError = {
    type: error.name,
    message: withoutValues(error.message),
    at: frames.slice(0, 8).map((line) => line.trim().slice(3)),
  }
  if ('code' in error && typeof error.code === 'string') fields.code = error.code
  if (error.cause !== undefined && depth < 2) fields.cause = errorFields(error.cause, depth + 1)
  return fields
}

export function createLog(level: LogLevel, destination?: { write(line: string): void }): Log {
  const options = {
    level,
    base: null,
    mixin: requestFields,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: (error: unknown) => errorFields(error) },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
