import { useRef } from 'react'

/**
 * Returns a function for the idempotency key of a create. The same input has the same key, so that a repeat after a
 * lost response creates no second record. Different input has a new key.
 *
 * @example const keyOf = useRepeatableKey(); await call(endpoint, { body, idempotencyKey: keyOf(body) })
 */
export const useRepeatableKey = (): ((input: unknown) => string) => useRepeatableKeys().of

/** The same with `renew`, after which the same input has a new key, because it means a second record. */
export function useRepeatableKeys(): { of: (input: unknown) => string; renew: () => void } {
  const sent = useRef({ input: '', key: '' })
  return {
    of: (input) => {
      const text = JSON.stringify(input)
      if (sent.current.key === '' || sent.current.input !== text)
        sent.current = { input: text, key: newKey() }
      return sent.current.key
    },
    renew: () => {
      sent.current = { input: '', key: '' }
    },
  }
}

/** Does not use `randomUUID`, which is missing in pages without HTTPS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
