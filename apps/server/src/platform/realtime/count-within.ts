/** Returns a function that counts an event, and returns whether at most `most` have happened in these milliseconds. */
export function countWithin(most: number, milliseconds: number): (now: number) => boolean {
  const times: number[] = []
  return (now) => {
    const first = times.length < most ? undefined : times.shift()
    times.push(now)
    return first === undefined || now - first >= milliseconds
  }
}
