export {
  type AccessRequest,
  accessRequestEndpoints,
  type OwnAccessRequest,
  type Refusal,
  refusal,
} from './access-requests.ts'
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
export { type AuditRow, type AuditSort, auditEndpoints } from './audit.ts'
export { type Confirmation, type ConfirmationMethods, confirmEndpoints } from './auth/confirm.ts'
export { deviceHeader, loginEndpoints } from './auth/login.ts'
export type { OtpEnrolment } from './auth/otp.ts'
export { passkeyLoginEndpoints } from './auth/passkey-login.ts'
export type { CommonPasswordReason } from './auth/password.ts'
export { recoveryEndpoints } from './auth/recovery.ts'
export { sessionEndpoints } from './auth/session.ts'
export type {
  AuthenticationOptions,
  AuthenticationResult,
  RegistrationOptions,
  RegistrationResult,
} from './auth/webauthn.ts'
export { type Backups, backupEndpoints } from './backups.ts'
export { done, id, instant, lastChange, listOf, type PersonRecord, revision } from './collection.ts'
export { type Condition, conditionEndpoints, type Diagnostics, type MailKind } from './condition.ts'
export { isDeckSerial, usableSerial } from './deck-serial.ts'
export {
  type AgentMessage,
  agentMessage,
  commonEdgeProtocol,
  type EdgeCommand,
  type EdgeDeck,
  type EdgeDeckFault,
  type EdgeMachine,
  type EdgeReport,
  type EdgeSample,
  type EdgeServerMessage,
  edgeCloseCodes,
  edgeDeck,
  edgeDecksMax,
  edgeLog,
  edgeMachine,
  edgeProtocols,
  edgeSamplesAtOnce,
  edgeServerMessage,
  edgeSocketPath,
  edgeTimes,
  type FaultyDeck,
} from './edge-agent.ts'
export {
  type EdgeArguments,
  type EdgeDeclaration,
  type EdgeParameter,
  edgeDeclaration,
  edgeDeclarations,
  isWithin,
  refusedArgument,
} from './edge-commands.ts'
export {
  type EdgeDeckKey,
  type EdgeDeckSettings,
  type EdgeDeckStep,
  edgeDeckEndpoints,
  edgeDeckKeys,
  type OwnEdgeDeck,
  ownEdgeDeckEndpoints,
} from './edge-decks.ts'
export { type EdgeEvent, edgeEventEndpoints, edgeEventsMost } from './edge-events.ts'
export { type EdgeGroup, type EdgeRule, edgeGroupEndpoints } from './edge-groups.ts'
export {
  type EdgeJob,
  type EdgeJobChoices,
  type EdgeJobCommand,
  type EdgeJobLine,
  type EdgeJobObstacle,
  type EdgeJobPreview,
  type EdgeJobState,
  type EdgeJobTarget,
  edgeJobEndpoints,
} from './edge-jobs.ts'
export {
  type EdgeKey,
  type EdgeRequest,
  edgeKeyEndpoints,
  edgeRequestEndpoints,
} from './edge-joining.ts'
export { type EdgeProgram, edgeProgramEndpoints } from './edge-programs.ts'
export {
  type EdgeManifest,
  type EdgeRelease,
  edgeAgentMax,
  edgeKeyAnnouncement,
  edgeManifest,
  edgeRelease,
  edgeSignaturePurposes,
} from './edge-release.ts'
export {
  type RefusedPart,
  readAgentMessage,
  repairEdgeMachine,
  repairEdgeReport,
} from './edge-report-repair.ts'
export {
  type EdgeSchedule,
  type EdgeScheduleMiss,
  type EdgeScheduleRun,
  edgeScheduleEndpoints,
} from './edge-schedules.ts'
export { type EdgeFacets, edgePlace, edgeTag, edgeTagEndpoints } from './edge-tags.ts'
export {
  type EdgeUpdatePolicy,
  type EdgeUpdates,
  edgeUpdateEndpoints,
  usualEdgeUpdatePolicy,
} from './edge-updates.ts'
export {
  type EdgeCourse,
  type EdgeOutage,
  type EdgeSeries,
  edgeCourseKeys,
  edgeCoursesMost,
  edgeFleetCoursesMost,
  edgeFleetKeys,
  edgeMeasures,
  edgeValueEndpoints,
  edgeValuePoints,
  edgeValuesOf,
  edgeValueWidths,
  ownEdgeValue,
} from './edge-values.ts'
export {
  type Edge,
  type EdgeInstance,
  type EdgePresence,
  type EdgeSort,
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
export { isReadSince, positionHeader } from './event-position.ts'
export {
  type ExtensionSettings,
  extensionSettingsEndpoints,
  ownExtensionSettingsEndpoints,
  rootExtensionSettingsEndpoints,
  type SettingField,
} from './extension-settings.ts'
export { type AppManifest } from './extensions/app-manifest.ts'
export {
  type ExtensionFailure,
  extensionEndpoints,
  extensionFailureEndpoints,
  type Fragment,
} from './extensions/fragment.ts'
export {
  bundledIds,
  cardsInVain,
  type ExtensionManifest,
  extensionManifest,
  sdkVersion,
  sharedModules,
} from './extensions/manifest.ts'
export {
  type Misfit,
  misfitOf,
  type SettingManifest,
  type SettingValue,
  settingLimits,
} from './extensions/setting-manifest.ts'
export {
  backendEndpoints,
  type ExtensionParts,
  type ExtensionVersion,
  type ExtensionVersionRole,
  type InstalledExtension,
  installedExtension,
  jwksPath,
  projectHeader,
  rootExtensionEndpoints,
  settingsHeader,
} from './extensions.ts'
export {
  type ContentMismatch,
  fileEndpoints,
  type ResumedUpload,
  type StoredFile,
  storedFile,
  type UploadTicket,
  uploadMost,
} from './files.ts'
export { findEndpoints, type Thing, type ThingKind } from './find.ts'
export { type FirstSteps, rootFirstStepsEndpoints } from './first-steps.ts'
export {
  type ActivityEntry,
  type Face,
  type FleetCounts,
  type FleetState,
  type Home,
  homeEndpoints,
  type Problem,
  type Severity,
} from './home.ts'
export type { PendingInvitation, SentInvitation } from './invitations.ts'
export { parseJsonText } from './json-text.ts'
export { defaultConsoleColor, limits } from './limits.ts'
export {
  isPlayedAsUploaded,
  type MediaCounts,
  type MediaFormat,
  type MediaItem,
  type MediaKind,
  type MediaSort,
  type MediaSource,
  mediaEndpoints,
  mediaTag,
  projectTaskEndpoints,
} from './media.ts'
export { type Note, noteEndpoints } from './notes.ts'
export { type Organisation, type OrganisationMember, organisationEndpoints } from './organisations.ts'
export {
  type Overview,
  type OverviewSort,
  overviewEndpoints,
  type ProblemOfProject,
  type ProjectState,
} from './overview.ts'
export { pageOf, pageQuery } from './pages.ts'
export {
  type Account,
  type AccountCounts,
  type AccountSort,
  type AccountState,
  type Belongings,
  rootPeopleEndpoints,
} from './people.ts'
export { firstProducts, type Product, productEndpoints } from './products.ts'
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
export { resource, restorable } from './resource.ts'
export { type Retained, type RetentionPart, retentionDays, retentionEndpoints } from './retention.ts'
export * as z from './schemas.ts'
export { matchesSearch, parseSearch, type Search } from './search.ts'
export {
  type HomeCardsOrder,
  type Language,
  languages,
  type Settings,
  settingsEndpoints,
  type TaskNotice,
  type TaskNoticeScope,
  taskNoticeScopes,
  taskNotices,
} from './settings.ts'
export { setupEndpoints } from './setup.ts'
export { type Start, startEndpoints } from './start.ts'
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
  type TaskTexts,
  taskMessageOf,
  taskTexts,
  textOfTaskMessage,
  withReason,
} from './task-messages.ts'
export {
  type Task,
  type TaskCounts,
  type TaskKindName,
  type TaskLogLine,
  type TaskMessage,
  type TaskOfPerson,
  type TaskSort,
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
  cleanLines,
  codeIn,
  digitsIn,
  firstCharacters,
  foldCase,
  isWithinLength,
  lineFrom,
  longText,
  nameFrom,
  nameText,
  numberIn,
  reportFrom,
  withoutHidden,
} from './text.ts'
export {
  acceptance,
  emailConfirmation,
  firstRootRegistration,
  otpRecovery,
  passwordReset,
  type Redemption,
  type Registration,
  registration,
  type TokenLink,
  type TokenLinkAction,
  tokenLinkEndpoints,
} from './token-links.ts'
