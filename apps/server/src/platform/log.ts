import { type Logger, pino } from 'pino'
import { errorFields } from './error-fields.mjs'
import { requestFields } from './request-context.ts'

export type Log = Logger

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Returns text from a client for a log line: shortened, and without characters that a terminal may execute. */
export const printable = (text: string): string => text.slice(0, 200).replace(/[^\x20-\x7e]/g, '?')

export function createLog(level: LogLevel, destination?: { write(line: string): void }): Log {
  const options = {
    level,
    base: null,
    mixin: requestFields,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorFields },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
