/** Concurrent calls. More would only wait for the database connections of the test server. */
const waveSize = 20

/** Makes many calls, twenty at a time. Returns their results in the order of the calls. */
export async function inWaves<Result>(
  count: number,
  call: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  while (results.length < count) {
    const from = results.length
    const size = Math.min(waveSize, count - from)
    results.push(...(await Promise.all(Array.from({ length: size }, (_, index) => call(from + index)))))
  }
  return results
}
