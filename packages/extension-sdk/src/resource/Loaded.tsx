import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { StaleNote } from '../stale/StaleNote.tsx'
import { staleSince } from '../stale/stale-since.ts'
import styles from './Loaded.module.css'
import { isGone } from './open-record.ts'
import { Waiting } from './Waiting.tsx'

export interface LoadedProps<Data> {
  /** Result of `useQuery`. */
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'dataUpdatedAt' | 'fetchStatus' | 'refetch'>
  /** Title of a failed load: "The cues could not be loaded". */
  failed: string
  /** Shown for a record that does not exist or is not visible to the user; by default the failure. */
  gone?: ReactNode
  /** Renders the reply. */
  children: (data: Data) => ReactNode
}

/**
 * Renders the reply of a query. It reserves the space until the reply arrives, and shows a failure with "Try again". A
 * reply that could not be refetched stays, with its age.
 *
 * @example <Loaded query={useCues()} failed="The cues could not be loaded">{({ items }) => <CueTable cues={items} />}</Loaded>
 */
export function Loaded<Data>(props: LoadedProps<Data>) {
  const since = ageOf(props)
  return (
    <>
      <Answer {...props} />
      {since !== null && (
        <div className={styles.note}>
          <StaleNote since={since} />
        </div>
      )}
    </>
  )
}

/** Renders like {@link Loaded}, without the age. */
export function Answer<Data>(props: LoadedProps<Data>) {
  const { query, failed, gone, children } = props
  const { data, error, refetch } = query
  if (isReplaced(props)) return gone
  if (data === undefined) return <Waiting failed={failed} error={error} onRetry={() => void refetch()} />
  return children(data)
}

/** Returns `staleSince` of the shown reply. A record that is gone has no age, because its last version is not shown. */
export function ageOf<Data>(props: LoadedProps<Data>): number | null {
  return isReplaced(props) ? null : staleSince(props.query)
}

function isReplaced<Data>({ query, gone }: LoadedProps<Data>): boolean {
  return gone !== undefined && isGone(query.error)
}
