import type { QueryKey } from '@tanstack/react-query'
import { useEffect } from 'react'
import { oneAtATime, readAgain } from '../read-again.ts'
import { subscribe } from '../realtime.ts'

/** While the calling component is there, what the topic tells of is read again: the queries whose keys begin like this. */
export function useLiveQueries(topic: string | undefined, queryKey: QueryKey): void {
  const key = JSON.stringify(queryKey)
  useEffect(() => {
    if (topic === undefined) return
    const follow = oneAtATime(() => readAgain(JSON.parse(key) as QueryKey))
    // That the topic has ended is for the server to say: the next answer is a refusal.
    return subscribe(topic, follow)
  }, [topic, key])
}
