import { useCall } from '@pult/sdk'
import { rootExtensionEndpoints } from '@pult/sdk/api/root'

/** Path of the extensions with their versions and settings, which each change in this app makes stale. */
export const extensionsPath = '/apps/root/extensions'

export const useExtensions = () => useCall(rootExtensionEndpoints.list, {})
