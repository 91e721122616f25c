/*
 * With LOG_FORMAT=json, the warnings of Node and the error that ends this process are lines of the log as well. Node
 * itself writes them as text of several lines.
 */
import { errorFields } from './platform/error-fields.mjs'
import { isJson, jsonLine } from './platform/log-line.mjs'

if (isJson()) {
  // Also removes the listener of Node, which writes the text.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    process.stderr.write(jsonLine('warn', 'Node.js warns', { err: errorFields(warning) }))
  })
  // Also receives the reason of a rejection that no code handles.
  process.on('uncaughtException', (error) => {
    process.stderr.write(jsonLine('fatal', 'Pult ended by an error', { err: errorFields(error) }))
    process.exit(1)
  })
}
