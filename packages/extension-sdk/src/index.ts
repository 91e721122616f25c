// The door of the SDK for extensions.
export type { Action, ActionContext, ExtensionAction, PageAction } from './actions/action.ts'
export { useAction } from './actions/use-action.ts'
export { ApiError, type ApiErrorCode, messageOf } from './api-error.ts'
export { type Call, type CallArguments, type CallInput, callOf } from './call.ts'
export {
  type AppDefinition,
  type AppRegistration,
  type AppRoute,
  defineApp,
  defineExtension,
  type Extension,
  type ExtensionContext,
} from './define-extension.ts'
export { useDownload, useUpload } from './file-transfer.ts'
export {
  type FailedUpload,
  type FileUploadControl,
  type FileUploadOptions,
  type UploadState,
  useFileUpload,
} from './files/use-file-upload.ts'
export {
  useApi,
  useBackend,
  useCredentials,
  useLocale,
  useNotify,
  usePageTitle,
  useProject,
  useProjectIfAny,
  useRole,
  useScope,
  useTopic,
} from './hooks.ts'
export type { Notification, TopicNews, UploadOptions } from './host.ts'
export { isCancelled } from './is-cancelled.ts'
export { usePageQuery } from './page-query.ts'
export { type PagedList, type PagedListState, usePagedList } from './paged-list.ts'
export { useRefreshProject } from './refresh-project.ts'
export { AppLink, useAppNavigate, useAppParams, useAppPath } from './routing.tsx'
export { type Catalogues, textsFor, textsOf, useTexts } from './texts.ts'
export { type Format, useFormat } from './use-format.ts'
export { type HotkeyOptions, useHotkey } from './use-hotkey.ts'
export { useLiveQueries } from './use-live-queries.ts'
export { type Stored, type StoredEntries, useStore, useStoreEntries } from './use-store.ts'
