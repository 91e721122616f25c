import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { writeLog } from './agent-log.ts'
import { help, readArguments } from './arguments.ts'
import { readConfig } from './config.ts'
import { becomeEdge } from './enrol.ts'
import { type ExitCode, exitCodes, Failure, isPassing } from './exit-codes.ts'
import { reasonOf } from './state.ts'
import { lockState } from './state-lock.ts'
import { supervise, workerMark } from './supervisor.ts'
import { version } from './version.ts'
import { work } from './worker.ts'

async function main(args: readonly string[]): Promise<ExitCode> {
  const asked = readArguments(args, process.env, process.getuid?.() === 0)
  if (asked === 'help' || asked === 'version') {
    console.log(asked === 'help' ? help : version)
    return exitCodes.stopped
  }
  if (process.env[workerMark] === '1') return work(asked)
  if (asked.hint !== undefined) writeLog(asked.hint)
  // Both steps report their errors before any background work starts.
  await untilReady(async () => {
    await readConfig(asked.configFile)
    await becomeEdge(asked)
  })
  // The code has been redeemed. The worker starts without it, which keeps it out of the process list.
  const { stateFolder, configFile } = asked
  await lockState(stateFolder)
  return supervise({
    file: fileURLToPath(import.meta.url),
    version,
    args: ['--state', stateFolder, '--config', configFile],
    stateFolder,
  })
}

/** Waits for a disk that is not ready, full or read-only: no user watches the machine. */
async function untilReady(step: () => Promise<void>): Promise<void> {
  for (let pause = 1000; ; pause = Math.min(pause * 2, 30_000)) {
    try {
      return await step()
    } catch (error) {
      if (!isPassing(error)) throw error
      writeLog(`${reasonOf(error)}; retrying`)
    }
    await sleep(pause)
  }
}

// Not awaited here: old versions of Node must be able to read this file, to report that they are too old.
main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Failure ? error.message : `The agent has failed: ${reasonOf(error)}`)
    process.exit(error instanceof Failure ? error.exitCode : exitCodes.fault)
  },
)
