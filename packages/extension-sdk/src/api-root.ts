// Calls that only root may make. They are a separate entry point because they change together with the console.
export {
  type Account,
  type AccountSort,
  type AccountState,
  type AuditRow,
  type AuditSort,
  auditEndpoints,
  type ExtensionVersion,
  type GrantOfPerson,
  type InstalledExtension,
  rootExtensionEndpoints,
  rootExtensionSettingsEndpoints,
  rootGrantEndpoints,
  rootPeopleEndpoints,
  rootSessionEndpoints,
  type SessionRecord,
  sdkVersion,
} from '@pult/contract'
