// The door of the SDK for extensions.
export {
  type AppDefinition,
  type AppRegistration,
  type AppRoute,
  defineApp,
  defineExtension,
  type Extension,
  type ExtensionContext,
} from './define-extension.ts'
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
export type { Notification } from './host.ts'
export { useRefreshProject } from './refresh-project.ts'
export { AppLink, useAppNavigate, useAppParams } from './routing.tsx'
