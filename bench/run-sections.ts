import type { Row } from './table.ts'

export interface Section {
  name: string
  measure: () => AsyncIterable<Row>
}

/**
 * Measures the sections one after the other until the signal aborts. The rows that a failed section has yielded are
 * kept.
 */
export async function runSections(
  sections: readonly Section[],
  signal: AbortSignal,
  onEnd: (name: string, milliseconds: number) => void,
): Promise<{ rows: Row[]; failures: string[] }> {
  const rows: Row[] = []
  const failures: string[] = []
  const interrupted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('interrupted')))
  })
  interrupted.catch(() => {})
  for (const { name, measure } of sections) {
    if (signal.aborted) break
    const start = performance.now()
    let count = 0
    const collect = async () => {
      for await (const row of measure()) {
        rows.push(row)
        count += 1
      }
    }
    try {
      await Promise.race([collect(), interrupted])
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      failures.push(`${name} ended after ${count} rows: ${reason}`)
    }
    onEnd(name, performance.now() - start)
  }
  return { rows, failures }
}
