/*
 * Node's HTTP module without an import: an import reads all exports, including its WebSocket, which loads all of
 * Node's fetch (10 MB, unused).
 */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http')
