import type { QueryKey } from '@tanstack/react-query'
import { isTouched } from './query-key.ts'

/** Paths of records that the user deletes or leaves, while their pages close. */
const left = new Set<string>()

/** Marks the record at a path as left: nothing below it is read until the returned function is called. */
export function leave(path: string): () => void {
  left.add(path)
  return () => void left.delete(path)
}

/** Returns whether a key belongs to a record that is left. */
export const isLeft = (key: QueryKey): boolean => [...left].some((path) => isTouched(key, path))
