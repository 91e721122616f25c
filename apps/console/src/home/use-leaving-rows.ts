import { useEffect, useState } from 'react'
import { useMedia } from '#platform/use-media.ts'

/** Time from the response without a row to its removal: a tick, then 280 ms of folding. Milliseconds. */
const leavesFor = 400

export interface ShownRow<Row> {
  row: Row
  isNew: boolean
  isLeaving: boolean
}

/**
 * Returns the rows of a list, including rows that have just left it, which keep their place until they have folded.
 * Rows of the first response are not new. With reduced motion, rows appear and disappear immediately.
 */
export function useLeavingRows<Row extends { id: string }>(
  rows: readonly Row[] | undefined,
): readonly ShownRow<Row>[] {
  const isStill = useMedia('(prefers-reduced-motion: reduce)')
  const [{ read, shown }, setState] = useState(() => ({ read: rows, shown: still(rows) }))
  if (rows !== read)
    setState({ read: rows, shown: read === undefined || isStill ? still(rows) : moved(shown, rows) })
  useEffect(() => {
    if (!shown.some(({ isLeaving }) => isLeaving)) return
    const timer = setTimeout(
      () => setState((state) => ({ ...state, shown: state.shown.filter(({ isLeaving }) => !isLeaving) })),
      leavesFor,
    )
    return () => clearTimeout(timer)
  }, [shown])
  return shown
}

const still = <Row>(rows: readonly Row[] = []): ShownRow<Row>[] =>
  rows.map((row) => ({ row, isNew: false, isLeaving: false }))

function moved<Row extends { id: string }>(
  before: readonly ShownRow<Row>[],
  rows: readonly Row[] = [],
): ShownRow<Row>[] {
  const known = new Set(before.filter(({ isLeaving }) => !isLeaving).map(({ row }) => row.id))
  const present = new Set(rows.map(({ id }) => id))
  const after = rows.map((row) => ({ row, isNew: !known.has(row.id), isLeaving: false }))
  for (const [index, { row }] of before.entries())
    if (!present.has(row.id)) after.splice(index, 0, { row, isNew: false, isLeaving: true })
  return after
}
