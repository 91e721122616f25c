import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { StaleNote } from '../stale/StaleNote.tsx'
import { staleSince } from '../stale/stale-since.ts'
import styles from './Loaded.module.css'
import { isGone } from './open-record.ts'
import { Waiting } from './Waiting.tsx'

export interface LoadedProps<Data> {
  /** Of `useQuery`. */
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'dataUpdatedAt' | 'fetchStatus' | 'refetch'>
  /** What could not be loaded, as a title. */
  failed: string
  /** In place of a record that does not exist or that the user may not see; by default the failure. */
  gone?: ReactNode
  /** Draws the answer. */
  children: (data: Data) => ReactNode
}

/**
 * Draws the answer of a query. Until it is there, its space is reserved; a failure is shown with "Try again". An answer
 * that could not be read again stays, with its age.
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

/** The same without the age. */
export function Answer<Data>(props: LoadedProps<Data>) {
  const { query, failed, gone, children } = props
  const { data, error, refetch } = query
  if (isReplaced(props)) return gone
  if (data === undefined) return <Waiting failed={failed} error={error} onRetry={() => void refetch()} />
  return children(data)
}

/** `staleSince` of what is drawn. A record that is gone has no age: its last version is not on screen. */
export function ageOf<Data>(props: LoadedProps<Data>): number | null {
  return isReplaced(props) ? null : staleSince(props.query)
}

function isReplaced<Data>({ query, gone }: LoadedProps<Data>): boolean {
  return gone !== undefined && isGone(query.error)
}
