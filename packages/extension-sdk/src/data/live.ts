import type { Query, QueryClient } from '@tanstack/react-query'
import { oneAtATime } from '../read-again.ts'
import { isGone } from '../resource/open-record.ts'
import type { Touched } from './query-key.ts'
import { readTouched } from './read-again.ts'
import { isReadSinceOpening } from './read-position.ts'
import type { TopicNews } from './topic-news.ts'

export interface LiveOptions {
  /** What the events make stale; by default everything below the path that is the topic's name. */
  touches?: readonly Touched[]
  /** Shortest pause between two reads in milliseconds. */
  apart?: number
  /** Called with each event. Returns whether it needs no read, because the shown data has been updated from it. */
  onEvent?: (event: Extract<TopicNews, { kind: 'event' }>) => boolean
}

interface Connection {
  client: QueryClient
  subscribe: (topic: string, listener: (news: TopicNews) => void) => () => void
}

/**
 * Reads data again on the events of topics, until the returned function is called. Also after a gap, in which events can
 * have been lost, and at the end of a topic, because the rejection of the read is its reason.
 */
export function followLive(
  { client, subscribe }: Connection,
  topics: readonly string[],
  { touches = topics, apart = 0, onEvent }: LiveOptions = {},
): () => void {
  const afterChange = spaced(() => readTouched(client, touches), apart)
  // A record that does not exist is not looked for each time that a topic opens, and what was read since is complete.
  const openings: (string | undefined)[] = []
  const afterGap = spaced(() => {
    const due = openings.splice(0)
    const isStale = ({ state: { data, error } }: Query) =>
      !isGone(error) && !due.every((at) => isReadSinceOpening(data, at))
    return readTouched(client, touches, isStale)
  }, apart)
  const stops = topics.map((topic) =>
    subscribe(topic, (news) => {
      if (news.kind === 'gap') {
        openings.push(news.at)
        afterGap()
      }
      if (news.kind === 'ended' || (news.kind === 'event' && onEvent?.(news) !== true)) afterChange()
    }),
  )
  return () => {
    for (const stop of stops) stop()
  }
}

const spaced = (read: () => Promise<void>, pause: number) =>
  oneAtATime(async () => {
    await read()
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
  })
