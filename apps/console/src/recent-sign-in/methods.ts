import type { ConfirmationMethods } from '@pult/contract'

export type Method = keyof ConfirmationMethods

const order: readonly Method[] = ['password', 'passkey', 'otp']

/** By what the person can confirm in this browser. Without https browsers know no passkeys. */
export function usableMethods(methods: ConfirmationMethods): Method[] {
  return order.filter(
    (method) => methods[method] && (method !== 'passkey' || 'PublicKeyCredential' in window),
  )
}
