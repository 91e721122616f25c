import { useEffect, useState } from 'react'

/**
 * Debounces a value: returns a new value once it has not changed for the given milliseconds.
 *
 * @example const settled = useSettled(search, 250)
 */
export function useSettled<Value>(value: Value, delay: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay)
    return () => clearTimeout(timer)
  }, [value, delay])
  return settled
}
