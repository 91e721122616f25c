import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Touched } from './query-key.ts'
import { readTouched } from './read-again.ts'

export interface RunOptions<Result, Input> {
  /** What the work makes stale: see {@link ChangeOptions}. @default nothing */
  touches?: readonly Touched[]
  onSuccess?: (result: Result, input: Input) => unknown
  onError?: (error: Error, input: Input) => unknown
  onSettled?: () => unknown
}

/**
 * As {@link useChange}, for work that is more or less than one call: several calls, a download or an upload.
 *
 * @example
 * const save = useRun(() => download(reportEndpoint, { params }), { onError: (error) => notify({ title, error }) })
 * <Button pending={save.isPending} onClick={() => save.mutate()}>Download</Button>
 */
export function useRun<Result, Input = void>(
  run: (input: Input) => Promise<Result>,
  { touches = [], onSettled, ...options }: RunOptions<Result, Input> = {},
): UseMutationResult<Result, Error, Input> {
  const client = useQueryClient()
  return useMutation({
    ...options,
    mutationFn: (input) => run(input),
    onSettled: () => {
      onSettled?.()
      return touches.length === 0 ? undefined : readTouched(client, touches)
    },
  })
}
