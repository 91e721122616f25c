import { useEffect, useState } from 'react'

/** The value, once it has not changed for the given milliseconds: what somebody typed, not each letter of it. */
export function useSettled<Value>(value: Value, delay: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay)
    return () => clearTimeout(timer)
  }, [value, delay])
  return settled
}
