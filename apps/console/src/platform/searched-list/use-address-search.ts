import { usePageQuery } from '@pult/sdk'
import { useTypedValue } from '@pult/sdk/resource'

/** The search of the page's list, which the address holds: reload, back and a sent link show the same. */
export function useAddressSearch() {
  const [{ search = '' }, changeQuery] = usePageQuery()
  return useTypedValue(search, (text) => changeQuery({ search: text }))
}
