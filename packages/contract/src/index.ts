export { type Credentials, credentials } from './account/credentials.ts'
export { meEndpoints } from './account/me.ts'
export { loginEndpoints } from './auth/login.ts'
export { sessionEndpoints } from './auth/session.ts'
export {
  apiBase,
  type BodyOf,
  type Endpoint,
  endpoint,
  type Method,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from './endpoint.ts'
export { commonErrorCodes, type ErrorCode, type ErrorDescription, type ErrorReply, errors } from './errors.ts'
export { extensionEndpoints, type Fragment } from './extensions.ts'
export { defaultConsoleColor, limits } from './limits.ts'
export { type Project, projectEndpoints } from './projects.ts'
export {
  type ClientMessage,
  clientMessage,
  type ServerMessage,
  serverMessage,
  socketCloseCodes,
  socketPath,
} from './realtime.ts'
export { type Build, systemEndpoints } from './system.ts'
export {
  acceptance,
  type Redemption,
  type Registration,
  registration,
  type TokenLink,
  type TokenLinkAction,
  tokenLinkEndpoints,
} from './token-links.ts'
