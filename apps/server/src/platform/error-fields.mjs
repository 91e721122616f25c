// Plain JavaScript, like log-line.mjs.

/**
 * Removes quoted values from an error's message: libraries quote their input, which may be a secret. The rest still
 * identifies the fault.
 */
function withoutValues(text) {
  return text.replace(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g, '"…"').replace(/[\w-]{32,}/g, '…')
}

export function errorFields(error, depth = 0) {
  if (!(error instanceof Error)) return { type: typeof error, message: '', at: [] }
  const frames = (error.stack || '').split('\n').filter((line) => /^\s+at /.test(line))
  const fields = {
    type: error.name,
    message: withoutValues(error.message),
    at: frames.slice(0, 8).map((line) => line.trim().slice(3)),
  }
  if (typeof error.code === 'string') fields.code = error.code
  if (error.cause !== undefined && depth < 2) fields.cause = errorFields(error.cause, depth + 1)
  return fields
}
