import { usePageQuery } from '@pult/sdk'
import { useTypedValue } from '@pult/sdk/resource'

/** The search of the page's list. It is stored in the URL, so a reload, Back and a shared link keep it. */
export function useAddressSearch() {
  const [{ search = '' }, changeQuery] = usePageQuery()
  return useTypedValue(search, (text) => changeQuery({ search: text }))
}
