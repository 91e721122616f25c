export { type Credentials, credentials } from './account/credentials.ts'
export { type Email, emailEndpoints } from './account/emails.ts'
export { meEndpoints } from './account/me.ts'
export { type OtpState, otpEndpoints } from './account/otp.ts'
export { type Passkey, passkeyEndpoints } from './account/passkeys.ts'
export { passwordEndpoints } from './account/password.ts'
export { type Profile, profileEndpoints } from './account/profile.ts'
export {
  type Activity,
  ownSessionEndpoints,
  rootSessionEndpoints,
  type SessionRecord,
} from './account/sessions.ts'
export { type StoreEntry, storeEndpoints } from './app-store.ts'
export { type AuditRow, auditEndpoints } from './audit.ts'
export { type Confirmation, type ConfirmationMethods, confirmEndpoints } from './auth/confirm.ts'
export { loginEndpoints } from './auth/login.ts'
export type { OtpEnrolment } from './auth/otp.ts'
export { passkeyLoginEndpoints } from './auth/passkey-login.ts'
export { recoveryEndpoints } from './auth/recovery.ts'
export { sessionEndpoints } from './auth/session.ts'
export type {
  AuthenticationOptions,
  AuthenticationResult,
  RegistrationOptions,
  RegistrationResult,
} from './auth/webauthn.ts'
export {
  done,
  id,
  instant,
  lastChange,
  listOf,
  type PersonRecord,
  pageOf,
  pageQuery,
  revision,
} from './collection.ts'
export {
  type AgentMessage,
  agentMessage,
  type EdgeCommand,
  type EdgeDeck,
  type EdgeReport,
  type EdgeServerMessage,
  edgeCloseCodes,
  edgeProtocol,
  edgeServerMessage,
  edgeSocketPath,
  edgeTimes,
} from './edge-agent.ts'
export {
  type Edge,
  type EdgeInstance,
  type EdgePresence,
  type EdgeState,
  type EdgeWithInstances,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeInstanceEndpoints,
} from './edges.ts'
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
export { type AppManifest } from './extensions/app-manifest.ts'
export { extensionEndpoints, type Fragment } from './extensions/fragment.ts'
export {
  type ExtensionManifest,
  extensionManifest,
  sdkVersion,
  sharedModules,
} from './extensions/manifest.ts'
export {
  backendEndpoints,
  type ExtensionVersion,
  type InstalledExtension,
  jwksPath,
  projectHeader,
  rootExtensionEndpoints,
} from './extensions.ts'
export { fileEndpoints, type StoredFile, storedFile, type UploadTicket } from './files.ts'
export type { PendingInvitation } from './invitations.ts'
export { defaultConsoleColor, limits } from './limits.ts'
export {
  type MediaFormat,
  type MediaItem,
  type MediaSource,
  mediaEndpoints,
  projectTaskEndpoints,
} from './media.ts'
export { type Note, noteEndpoints } from './notes.ts'
export { type Organisation, type OrganisationMember, organisationEndpoints } from './organisations.ts'
export { type Account, rootPeopleEndpoints } from './people.ts'
export { type Product, productEndpoints } from './products.ts'
export {
  type EffectiveAccess,
  type Grant,
  type GrantOfPerson,
  type Project,
  projectEndpoints,
  rootGrantEndpoints,
} from './projects.ts'
export {
  type ClientMessage,
  type CollectionChange,
  clientMessage,
  collectionChange,
  type ServerMessage,
  serverMessage,
  socketCloseCodes,
  socketPath,
} from './realtime.ts'
export { resource } from './resource.ts'
export * as z from './schemas.ts'
export { matchesSearch, parseSearch, type Search } from './search.ts'
export {
  type Language,
  languages,
  type Settings,
  settingsEndpoints,
  type TaskNotice,
  taskNotices,
} from './settings.ts'
export {
  type DeckAction,
  type DeckIcon,
  type DeckKey,
  type DeckWallpaper,
  deckIcons,
  type StreamDecks,
  streamDeckEndpoints,
} from './stream-decks.ts'
export { type Build, systemEndpoints } from './system.ts'
export {
  type Task,
  type TaskKindName,
  type TaskLogLine,
  type TaskOfPerson,
  type TaskState,
  type TaskToken,
  type TaskUpdate,
  task,
  taskDriverEndpoints,
  taskEndpoints,
  taskTokenEndpoints,
  taskUpdate,
} from './tasks.ts'
export {
  acceptance,
  emailConfirmation,
  otpRecovery,
  passwordReset,
  type Redemption,
  type Registration,
  registration,
  type TokenLink,
  type TokenLinkAction,
  tokenLinkEndpoints,
} from './token-links.ts'
