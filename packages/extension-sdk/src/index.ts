// Entry point of the SDK for extensions.
export type { Action, ActionContext, ExtensionAction, PageAction } from './actions/action.ts'
export { useAction } from './actions/use-action.ts'
export { ApiError, type ApiErrorCode, messageOf } from './api-error.ts'
export { AskForAccess } from './ask-for-access.tsx'
export type { Call, CallArguments, CallInput } from './call.ts'
export { callOf, type ReadInput, type ReadOptions, readingOf } from './data/call-query.ts'
export type { LiveOptions } from './data/live.ts'
export type { Touched } from './data/query-key.ts'
export { useCall } from './data/use-call.ts'
export { type ChangeInput, type ChangeOptions, useChange } from './data/use-change.ts'
export { useLive } from './data/use-live.ts'
export { usePages } from './data/use-pages.ts'
export { useReadAgain } from './data/use-read-again.ts'
export { type RunOptions, useRun } from './data/use-run.ts'
export {
  type AppDefinition,
  type AppRegistration,
  type AppRoute,
  type CardDefinition,
  defineAction,
  defineApp,
  defineCard,
  defineExtension,
  defineNavigation,
  definePageTab,
  defineSearch,
  type Extension,
  type ExtensionContext,
  type FoundThing,
  type NavigationDefinition,
  type NavigationState,
  type PageTabDefinition,
  type ReadContext,
  type RunAction,
  type SearchProvider,
} from './define-extension.ts'
export { useDownload, useUpload } from './file-transfer.ts'
export {
  type FailedUpload,
  type FileUploadControl,
  type FileUploadOptions,
  type UploadPosition,
  type UploadProgressDetails,
  type UploadState,
  useFileUpload,
} from './files/use-file-upload.ts'
export {
  useApi,
  useBackend,
  useCredentials,
  useLocale,
  useNotify,
  useOpenDocument,
  usePageTitle,
  useProject,
  useProjectIfAny,
  useRole,
  useScope,
  useTopic,
} from './hooks.ts'
export type {
  AskForAccessProps,
  PageActionsProps,
  PageCardsProps,
  PageTabsProps,
  TopicNews,
  UnfinishedUpload,
  UploadOptions,
} from './host.ts'
export { isCancelled } from './is-cancelled.ts'
export type { Notification } from './notification.ts'
export { PageActions, PageCards, PageTabs } from './page-points.tsx'
export { usePageQuery } from './page-query.ts'
export { type PagedList, type PagedListState, usePagedList, wholeListOf } from './paged-list.ts'
export { useRefreshProject } from './refresh-project.ts'
export { AppLink, redirectTo, useAppNavigate, useAppParams, useAppPath } from './routing.tsx'
export { type Catalogues, type TextOverrides, textsFor, textsOf, useTexts } from './texts.ts'
export { type Format, useFormat } from './use-format.ts'
export { type HotkeyOptions, useHotkey } from './use-hotkey.ts'
export { useLiveQueries } from './use-live-queries.ts'
export { type UsedSettings, useSettings } from './use-settings.ts'
export { type Stored, type StoredEntries, useStore, useStoreEntries } from './use-store.ts'
