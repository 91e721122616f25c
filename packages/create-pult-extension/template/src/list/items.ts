import { useApi, useProject } from '@pult/sdk'
import { storeEndpoints } from '@pult/sdk/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'

/** What the server keeps for this app in the active project, under keys of the app's choice. */
export function useItems() {
  const call = useApi()
  const client = useQueryClient()
  const { _id: projectId } = useProject()
  const params = { projectId, app: 'my-extension' }
  const queryKey = ['my-extension', projectId, 'items']
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(storeEndpoints.list, { params, query: { prefix: 'item:' }, signal }),
  })
  const readAgain = () => client.invalidateQueries({ queryKey })
  return {
    /** Undefined until they are here. */
    items: data?.items.map(({ key, value }) => ({ key, label: String(value) })),
    error,
    async add(label: string) {
      const key = `item:${crypto.randomUUID()}`
      await call(storeEndpoints.write, { params: { ...params, key }, body: { value: label } })
      await readAgain()
    },
    async remove(key: string) {
      await call(storeEndpoints.remove, { params: { ...params, key } })
      await readAgain()
    },
  }
}
