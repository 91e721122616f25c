// The door of the SDK for extensions.
export { type CallError, isCallError, isCancelled } from './call-errors.ts'
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
export { formatInstant } from './format-instant.ts'
export {
  useApi,
  useCredentials,
  useLocale,
  useNotify,
  usePageTitle,
  useProject,
  useProjectIfAny,
  useRole,
} from './hooks.ts'
export type { Notification, UploadOptions } from './host.ts'
export { usePageQuery } from './page-query.ts'
export { type PagedList, usePagedList } from './paged-list.ts'
export { AppLink, useAppNavigate, useAppParams } from './routing.tsx'
