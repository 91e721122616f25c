import { useApi } from '@pult/sdk'
import { rootExtensionEndpoints } from '@pult/sdk/api/root'
import { useQuery, useQueryClient } from '@tanstack/react-query'

const all = 'app-extensions'

export function useExtensions() {
  const call = useApi()
  return useQuery({
    queryKey: [all],
    queryFn: ({ signal, client, queryKey }) =>
      call(rootExtensionEndpoints.list, {
        signal,
        background: client.getQueryData(queryKey) !== undefined,
      }),
  })
}

/** Refetches the extensions after a change. */
export function useReadAgain(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: [all] })
}
