/**
 * The answers that `public/first.js` has asked for, by the addresses of the calls: who is signed in is known, and what
 * there is for them, before the code is there that asks. Each is handed out once.
 */
declare global {
  var pultEarlyAnswers: Map<string, Promise<Response>> | undefined
}

/** After that a start has been interrupted, and what was true when it began may not be. Milliseconds. */
const longest = 10_000

/** An answer that is on its way already. */
export function takeEarlyAnswer(method: string, address: string): Promise<Response> | undefined {
  const answers = globalThis.pultEarlyAnswers
  const answer = answers?.get(address)
  if (method !== 'GET' || answer === undefined) return undefined
  answers?.delete(address)
  return performance.now() < longest ? answer : undefined
}

/** They are of somebody who is not signed in any more. */
export function forgetEarlyAnswers(): void {
  globalThis.pultEarlyAnswers = undefined
}
