import type { Endpoint, ReplyOf } from '@pult/contract'
import { type Query, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { AnyCall, AnyInput, CallInput } from '../call.ts'
import { useRepeatableKeys } from '../forms/use-repeatable-key.ts'
import { leave } from './left.ts'
import { isTouched, keyOf, type Place, type Touched } from './query-key.ts'
import { readTouched } from './read-again.ts'
import type { OfBackend } from './use-call.ts'
import { useCaller } from './use-caller.ts'

export interface ChangeOptions<Reply, Input> extends OfBackend {
  /**
   * What the change makes stale. It is read again after a success and after a failure,
   * because a failure may mean that the shown data is out of date. The change is pending until then.
   */
  touches: readonly Touched[]
  /** The read whose reply is the reply of the change: the new record is shown before anything is read again. */
  shows?: (reply: Reply, input: Input) => [endpoint: Endpoint, place: Place]
  /** Path of the record that the change deletes or leaves. It is not read again while its page closes. */
  leaves?: string
  /** Called after a success, before anything is read again. */
  onSuccess?: (reply: Reply, input: Input) => unknown
  /** Called after a failure. */
  onError?: (error: Error, input: Input) => unknown
  /** How long the reply stays in memory, in milliseconds; 0 for secrets. */
  gcTime?: number
}

/**
 * Returns a change of the server's data, as `useMutation` does. A POST carries an idempotency key that stays the same
 * until it succeeds, so that a repeat after a lost reply creates no second record.
 *
 * @param inputOf Returns the input of the call for that of `mutate`. `revision` undefined overwrites other changes.
 * @example
 * const rename = useChange(projectEndpoints.update, (label: string) => ({ params: { projectId }, body: { label } }), {
 *   touches: [`/projects/${projectId}`, projectEndpoints.list],
 * })
 * rename.mutate('Hall 3')
 */
export function useChange<E extends Endpoint, Input = void>(
  endpoint: E,
  inputOf: (input: Input) => ChangeInput<E>,
  { touches, shows, leaves, backend = false, ...options }: ChangeOptions<ReplyOf<E>, Input>,
): UseMutationResult<ReplyOf<E>, Error, Input> {
  const { call, at } = useCaller(backend)
  const client = useQueryClient()
  const keys = useRepeatableKeys()
  const stay = useRef<(() => void) | undefined>(undefined)
  useEffect(
    () => () => {
      // Another visit reads the record again, and finds that it is gone. The rest of its page may still show it.
      if (stay.current !== undefined && leaves !== undefined) {
        const isOfRecord = ({ queryKey }: Query) => isTouched(queryKey, leaves)
        client.removeQueries({ predicate: (query) => query.getObserversCount() === 0 && isOfRecord(query) })
        void client.invalidateQueries({ predicate: isOfRecord, refetchType: 'none' })
      }
      stay.current?.()
    },
    [client, leaves],
  )
  return useMutation({
    ...options,
    mutationFn: (input) => {
      const { revision, ...callInput } = inputOf(input) as AnyInput & { revision?: number | undefined }
      if (leaves !== undefined) stay.current = leave(leaves)
      return (call as AnyCall)(at(endpoint), {
        ...callInput,
        ...(revision !== undefined && { revision }),
        ...(endpoint.method === 'POST' && { idempotencyKey: keys.of(callInput) }),
      }) as Promise<ReplyOf<E>>
    },
    onSuccess: (reply, input) => {
      keys.renew()
      if (shows !== undefined) {
        const [read, place] = shows(reply, input)
        client.setQueryData(keyOf(at(read), place), reply)
      }
      return options.onSuccess?.(reply, input)
    },
    onError: (error, input) => {
      stay.current?.()
      stay.current = undefined
      return options.onError?.(error, input)
    },
    // A record that stays is read again: it was not polled meanwhile.
    onSettled: (_reply, error) =>
      readTouched(client, error === null || leaves === undefined ? touches : [...touches, leaves]),
  })
}

/** The input of a change. A missing revision overwrites other changes. */
export type ChangeInput<E extends Endpoint> = Omit<
  CallInput<E>,
  'revision' | 'idempotencyKey' | 'signal' | 'background'
> & { revision?: number | undefined }
