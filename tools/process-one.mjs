import { readFileSync } from 'node:fs'

/**
 * Returns a warning if npm is process 1, as in a container with the command `npm start`. At a signal npm ends without
 * waiting, and the kernel then kills all other processes of the container: no code of this process can prevent that.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string | undefined}
 */
export function processOneWarning(environment) {
  if (environment.npm_lifecycle_event === undefined || !isNpm()) return undefined
  return 'npm is process 1 and does not wait for the server when it is stopped: use the command node tools/start.mjs instead. See docs/operations/service.md'
}

function isNpm() {
  try {
    return readFileSync('/proc/1/comm', 'utf8').startsWith('npm')
  } catch {
    return false
  }
}
