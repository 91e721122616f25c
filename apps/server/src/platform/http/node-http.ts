/*
 * Node's own module of HTTP, not imported: an import reads all that the module exports, its WebSocket among them, and with
 * that the whole of Node's fetch is loaded, 10 MB that nothing here uses.
 */
export const { IncomingMessage, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')
