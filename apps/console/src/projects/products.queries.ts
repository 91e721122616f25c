import { firstProducts, type Product, productEndpoints } from '@pult/contract'
import { useCall } from '@pult/sdk'
import { callQuery } from '@pult/sdk/host'
import { api } from '#platform/api.ts'
import { queryClient } from '#platform/query-client.ts'

/** Omits products that every project has. Suggested ones come first. */
const offeredAmong = ({ items }: { items: readonly Product[] }) =>
  items
    .filter(({ sku }) => !firstProducts.includes(sku))
    .toSorted((a, b) => Number(b.isSuggested) - Number(a.isSuggested))

/** The products that a new project can use. */
export const useOfferedProducts = () => useCall(productEndpoints.list, {}, { select: offeredAmong })

/** Without a response, a new project starts with the products of every project. */
export const readOffered = (): Promise<Product[]> =>
  queryClient
    .query(callQuery(api, productEndpoints.list, {}, { staleTime: 'static' }))
    .then(offeredAmong)
    .catch(() => [])

export type OfferedProducts = Pick<ReturnType<typeof useOfferedProducts>, 'data' | 'error'>

export const suggestedAmong = (offered: readonly Product[] = []): string[] =>
  offered.filter(({ isSuggested }) => isSuggested).map(({ sku }) => sku)
