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
export type { Notification } from './host.ts'
