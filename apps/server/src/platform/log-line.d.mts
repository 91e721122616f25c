/** The forms of LOG_FORMAT. With `mixed`, only the lines of the log itself are JSON. */
export declare const logFormats: readonly ['mixed', 'json']

/**
 * Removes quotes and spaces around the value of a setting: `docker run --env-file` keeps them, and other readers of the
 * same file remove them. Returns undefined if nothing is left.
 */
export declare function unquoted(given: string): string | undefined

/** Returns whether LOG_FORMAT of this process requests that each line is a JSON object. */
export declare function isJson(): boolean

type Level = 'fatal' | 'error' | 'warn' | 'info'

/** Returns a line with the fields that the log itself writes, and a line feed. */
export declare function jsonLine(
  level: Level,
  msg: string,
  fields?: Readonly<Record<string, unknown>>,
): string

/**
 * Returns a line in the form of LOG_FORMAT, with a line feed. As text it is the message, and each field is a further
 * line.
 */
export declare function logLine(level: Level, msg: string, fields?: Readonly<Record<string, string>>): string
