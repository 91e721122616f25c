import type { ConfirmationMethods } from '@pult/contract'
import { passkeyObstacle } from '#platform/passkey-obstacle.ts'

export type Method = keyof ConfirmationMethods

const order: readonly Method[] = ['password', 'passkey', 'otp']

/** Returns the methods that work in this browser and at this address. */
export function usableMethods(methods: ConfirmationMethods): Method[] {
  return order.filter((method) => methods[method] && (method !== 'passkey' || passkeyObstacle() === null))
}
