/**
 * Returns the limit of a rule, in milliseconds, for a machine that many tests keep busy. A call that waits for a
 * poll, a lease or another timeout by mistake exceeds this limit.
 */
export const underLoad = (limit: number) => limit * 10

/**
 * Returns the size of a long test: `short` in `npm test`, `full` in `npm run test:long`. The test has the tag `long`.
 */
export function sized<Size>(short: Size, full: Size): Size {
  return process.env.PULT_TEST_LENGTH === 'full' ? full : short
}
