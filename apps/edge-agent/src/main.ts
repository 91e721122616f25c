import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { writeLog } from './agent-log.ts'
import { type Arguments, help, readArguments } from './arguments.ts'
import { readConfig } from './config.ts'
import { becomeEdge } from './enrol.ts'
import { type ExitCode, exitCodes, Failure, isPassing } from './exit-codes.ts'
import { readState, reasonOf } from './state.ts'
import { lockState } from './state-lock.ts'
import { supervise, workerMark } from './supervisor.ts'
import { version } from './version.ts'
import { work } from './worker.ts'

/** Milliseconds for a new code to be redeemed before the programs of an edge start, so that they start only once. */
const headStart = 5000

async function main(args: readonly string[]): Promise<ExitCode> {
  const asked = readArguments(args, process.env, process.getuid?.() === 0)
  if (asked === 'help' || asked === 'version') {
    console.log(asked === 'help' ? help : version)
    return exitCodes.stopped
  }
  if (process.env[workerMark] === '1') return work(asked)
  if (asked.hint !== undefined) writeLog(asked.hint)
  const { stateFolder, configFile } = asked
  // Errors of the settings and of the state are reported before any background work starts.
  const held = await untilReady(async () => {
    await readConfig(configFile)
    return readState(stateFolder)
  })
  const enrolment = untilReady(() => becomeEdge(asked))
  // A machine that is an edge runs its programs although its new code or address cannot be used for now.
  await (held === undefined ? enrolment : Promise.race([enrolment, sleep(headStart)]))
  const running = run(
    { stateFolder, configFile },
    enrolment.then(
      ({ server, token }) => server !== held?.server || token !== held.token,
      () => false,
    ),
  )
  // A code that is refused on a terminal also ends an agent that runs.
  return Promise.race([running, enrolment.then(() => running)])
}

/** Runs the worker, without the code, which keeps it out of the process list. */
async function run(
  { stateFolder, configFile }: Pick<Arguments, 'stateFolder' | 'configFile'>,
  replaced: Promise<boolean>,
): Promise<ExitCode> {
  await lockState(stateFolder)
  return supervise({
    file: fileURLToPath(import.meta.url),
    version,
    args: ['--state', stateFolder, '--config', configFile],
    stateFolder,
    replaced,
  })
}

/** Waits for a disk that is not ready, full or read-only: no user watches the machine. */
async function untilReady<Result>(step: () => Promise<Result>): Promise<Result> {
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
