import { createStore } from './store.ts'

/** Clocks that differ by less count as equal. Milliseconds. */
const tolerance = 600_000

/** Milliseconds that the server's clock is ahead of this computer's; 0 while they agree. */
export const serverIsAhead = createStore(0)

/** Compares the two clocks by the time of an answer that has just arrived. */
export function compareClocks(headers: Headers): void {
  const ahead = Date.parse(headers.get('date') ?? '') - Date.now()
  if (Number.isNaN(ahead)) return
  const before = serverIsAhead.get()
  const isSame = Math.abs(ahead - before) < tolerance
  if (Math.abs(ahead) < tolerance) serverIsAhead.set(0)
  else if (!isSame || before === 0) serverIsAhead.set(ahead)
}
