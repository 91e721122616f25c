import { rootFirstStepsEndpoints } from '@pult/contract'
import { useCall } from '@pult/sdk'
import { useCredentials } from '#platform/use-credentials.ts'
import { useSettings } from '../settings/settings.queries.ts'

/** Polling interval, so that a step that was done elsewhere is marked while home is open. Milliseconds. */
const readEvery = 5000

/** The data of the first steps. Undefined for users other than root, after *Hide*, and while `isLoading`. */
export function useFirstSteps() {
  const { isRoot } = useCredentials()
  const { data: settings } = useSettings()
  const isVisible = isRoot && settings?.hidesFirstSteps === false
  const { data, isLoading } = useCall(
    rootFirstStepsEndpoints.read,
    {},
    { enabled: isVisible, every: readEvery, staleTime: readEvery },
  )
  return { facts: isVisible ? data : undefined, isLoading }
}
