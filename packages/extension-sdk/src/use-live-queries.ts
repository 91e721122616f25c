import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useConsoleHost } from './host.ts'
import { refetchOn } from './read-again.ts'

/**
 * Invalidates the queries whose keys have this prefix on each event of the topic, while the calling component is
 * mounted.
 *
 * {@link useLive} with {@link useCall} replaces it. It will leave.
 *
 * @example useLiveQueries(`/projects/${projectId}/notes`, ['notes', projectId])
 */
export function useLiveQueries(topic: string | undefined, queryKey: QueryKey): void {
  const { subscribe } = useConsoleHost()
  const client = useQueryClient()
  const key = JSON.stringify(queryKey)
  useEffect(() => {
    if (topic === undefined) return
    // Refetches after the end of the topic, too: the rejection of the call shows the reason.
    return subscribe(topic, refetchOn(client, JSON.parse(key) as QueryKey))
  }, [client, subscribe, topic, key])
}
