import { useRef } from 'react'

/**
 * The idempotency key of a create: the same key for the same input, so that a repeat after a lost answer creates no
 * second record, and a new key for different input.
 *
 * @example const keyOf = useRepeatableKey(); await call(endpoint, { body, idempotencyKey: keyOf(body) })
 */
export function useRepeatableKey(): (input: unknown) => string {
  const sent = useRef({ input: '', key: '' })
  return (input) => {
    const text = JSON.stringify(input)
    if (sent.current.input !== text) sent.current = { input: text, key: newKey() }
    return sent.current.key
  }
}

/** Not `randomUUID`: pages without https do not have it. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
