import { backupEndpoints, conditionEndpoints, retentionEndpoints } from '@pult/contract'
import { useCall } from '@pult/sdk'

/** Polling interval, because the condition changes without an event. Milliseconds. */
export const conditionReadEvery = 30_000

/** The condition of the installation, for root. */
export const useCondition = () => useCall(conditionEndpoints.read, {}, { every: conditionReadEvery })

/** The stored data of the installation and its retention, for root. Its card announces the next read after any failure. */
export const useRetention = () => useCall(retentionEndpoints.read, {}, { every: () => undefined })

/** The backups of the installation, for root. */
export const useBackups = () =>
  useCall(backupEndpoints.read, {}, { every: ({ data }) => (data?.running ? 1000 : conditionReadEvery) })
