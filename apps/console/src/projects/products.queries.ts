import { firstProducts, type Product, productEndpoints } from '@pult/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { callOf, queryClient } from '#platform/query-client.ts'

/** The products of the installation. */
export const productsQuery = queryOptions({
  queryKey: ['products'],
  queryFn: (context) => api(productEndpoints.list, callOf(context)),
})

const offeredQuery = queryOptions({ ...productsQuery, select: ({ items }) => offeredAmong(items) })

/** Omits products that every project has. Suggested ones come first. */
const offeredAmong = (products: readonly Product[]) =>
  products
    .filter(({ sku }) => !firstProducts.includes(sku))
    .toSorted((a, b) => Number(b.isSuggested) - Number(a.isSuggested))

/** The products that a new project can use. */
export function useOfferedProducts() {
  const { data, error } = useQuery(offeredQuery)
  return { data, error }
}

/** Without a response, a new project starts with the products of every project. */
export const readOffered = (): Promise<Product[]> =>
  queryClient.query({ ...offeredQuery, staleTime: 'static' }).catch(() => [])

export type OfferedProducts = ReturnType<typeof useOfferedProducts>

export const suggestedAmong = (offered: readonly Product[] = []): string[] =>
  offered.filter(({ isSuggested }) => isSuggested).map(({ sku }) => sku)
