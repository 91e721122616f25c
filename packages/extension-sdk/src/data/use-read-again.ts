import { useQueryClient } from '@tanstack/react-query'
import type { Touched } from './query-key.ts'
import { readTouched } from './read-again.ts'

/**
 * Returns a function that reads data again after something changed it that is no {@link useChange}, such as an upload.
 *
 * @example const readAgain = useReadAgain(`/projects/${projectId}/media`); await readAgain()
 */
export function useReadAgain(...touched: readonly Touched[]): () => Promise<void> {
  const client = useQueryClient()
  return () => readTouched(client, touched)
}
