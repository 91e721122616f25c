import { systemEndpoints } from '@pult/contract'
import { useCall } from '@pult/sdk'

/** The operator's settings. They change only when the server restarts. */
export const usePublicSettings = () =>
  useCall(systemEndpoints.settings, {}, { staleTime: Number.POSITIVE_INFINITY })
