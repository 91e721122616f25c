import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useConsoleHost } from '../host.ts'
import { followLive, type LiveOptions } from './live.ts'

/**
 * Keeps shown data up to date from the events of a topic of the contract, or of several, while the calling component is
 * mounted. By default it reads everything below the path that is the topic's name. Null follows nothing.
 *
 * @example useLive(`/projects/${projectId}/notes`)
 * @example useLive('extensions', { touches: [extensionEndpoints.probe] })
 */
export function useLive(topics: string | readonly string[] | null, options: LiveOptions = {}): void {
  const { subscribe } = useConsoleHost()
  const client = useQueryClient()
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const joined = JSON.stringify(topics === null ? [] : [topics].flat())
  const touched = JSON.stringify(
    options.touches?.map((each) => (typeof each === 'string' ? each : each.path)),
  )
  const { apart } = options
  useEffect(() => {
    const names = JSON.parse(joined) as string[]
    if (names.length === 0) return
    return followLive({ client, subscribe }, names, {
      // Other topics or other touched data subscribe again.
      touches: touched === undefined ? names : (latest.current.touches ?? names),
      ...(apart !== undefined && { apart }),
      onEvent: (event) => latest.current.onEvent?.(event) === true,
    })
  }, [client, subscribe, joined, touched, apart])
}
