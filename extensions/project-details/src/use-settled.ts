import { useEffect, useState } from 'react'

/** A value that has stayed the same for a while: what is typed, once the person pauses. */
export function useSettled<Value>(value: Value, milliseconds: number): Value {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
