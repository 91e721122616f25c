import { useCall } from '@pult/sdk'
import { productEndpoints } from '@pult/sdk/api'

/** Data that a change in this app makes stale: the accounts with their grants and sessions, and the invitations. */
export const accounts = ['/apps/root/people', '/apps/root/invitations'] as const

/** The roles of each product by sku. */
export const useProducts = () => useCall(productEndpoints.list, {}, { select: ({ items }) => items })
