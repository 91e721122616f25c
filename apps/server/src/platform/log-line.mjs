/*
 * Lines that are written before the log exists, beside it or after it: by the start, the embedded database and the
 * process that restarts the server. Plain JavaScript, because old versions of Node must load this module, and because
 * a type-stripping loader would occupy 20 MB of that process.
 */

export const logFormats = /** @type {const} */ (['mixed', 'json'])

export function unquoted(given) {
  const [, , inside] = /^(["'])(.*)\1$/su.exec(given.trim()) || []
  return (inside === undefined ? given : inside).trim() || undefined
}

// Read without the other settings, whose faults are reported in this format too.
export const isJson = () => unquoted(process.env.LOG_FORMAT || '') === 'json'

export const jsonLine = (level, msg, fields) =>
  `${JSON.stringify({ level, time: new Date().toISOString(), ...fields, msg })}\n`

export const logLine = (level, msg, fields = {}) =>
  isJson() ? jsonLine(level, msg, fields) : `${[msg, ...Object.values(fields)].join('\n')}\n`
