import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useConsoleHost } from './host.ts'
import { oneAtATime, readAgain } from './read-again.ts'

/**
 * While the calling component is there, what the topic tells of is read again: the queries whose keys begin like this.
 *
 * @example useLiveQueries(`/projects/${projectId}/notes`, ['notes', projectId])
 */
export function useLiveQueries(topic: string | undefined, queryKey: QueryKey): void {
  const { subscribe } = useConsoleHost()
  const client = useQueryClient()
  const key = JSON.stringify(queryKey)
  useEffect(() => {
    if (topic === undefined) return
    const follow = oneAtATime(() => readAgain(client, JSON.parse(key) as QueryKey))
    // That the topic has ended is for the server to say: the next answer is a refusal.
    return subscribe(topic, follow)
  }, [client, subscribe, topic, key])
}
