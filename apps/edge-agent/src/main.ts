import { fileURLToPath } from 'node:url'
import { help, readArguments } from './arguments.ts'
import { readConfig } from './config.ts'
import { becomeEdge } from './enrol.ts'
import { type ExitCode, exitCodes, Failure } from './exit-codes.ts'
import { reasonOf } from './state.ts'
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
  // Both steps report their errors before any background work starts.
  await readConfig(asked.configFile)
  await becomeEdge(asked)
  // The code has been redeemed. The worker starts without it, which keeps it out of the process list.
  const { stateFolder, configFile } = asked
  return supervise({
    file: fileURLToPath(import.meta.url),
    version,
    args: ['--state', stateFolder, '--config', configFile],
    stateFolder,
  })
}

try {
  process.exit(await main(process.argv.slice(2)))
} catch (error) {
  console.error(error instanceof Failure ? error.message : `The agent has failed: ${reasonOf(error)}`)
  process.exit(error instanceof Failure ? error.exitCode : exitCodes.fault)
}
