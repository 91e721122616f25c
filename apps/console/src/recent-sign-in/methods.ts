import type { ConfirmationMethods } from '@pult/contract'

export type Method = keyof ConfirmationMethods

const order: readonly Method[] = ['password', 'passkey', 'otp']

/** Returns the methods that work in this browser. Browsers support passkeys only with HTTPS. */
export function usableMethods(methods: ConfirmationMethods): Method[] {
  return order.filter(
    (method) => methods[method] && (method !== 'passkey' || 'PublicKeyCredential' in window),
  )
}
