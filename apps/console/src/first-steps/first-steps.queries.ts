import { rootFirstStepsEndpoints } from '@pult/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { callOf } from '#platform/query-client.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { useSettings } from '../settings/settings.queries.ts'

/** Milliseconds. A step ticks itself while home is open, also when it was done elsewhere. */
const readEvery = 5000

/** The facts of the first steps: undefined for everybody but root, after *Hide*, and while `isLoading`. */
export function useFirstSteps() {
  const { isRoot } = useCredentials()
  const { data: settings } = useSettings()
  const isWanted = isRoot && settings?.hidesFirstSteps === false
  const { data, isLoading } = useQuery({
    queryKey: ['first-steps'],
    queryFn: (context) => api(rootFirstStepsEndpoints.read, callOf(context)),
    enabled: isWanted,
    refetchInterval: readEvery,
    refetchOnMount: 'always',
  })
  return { facts: isWanted ? data : undefined, isLoading }
}
