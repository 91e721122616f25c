import { setTimeout as sleep } from 'node:timers/promises'
import { writeLog } from './agent-log.ts'
import { createCommandMemory } from './command-memory.ts'
import { readConfig } from './config.ts'
import { createConnection } from './connection.ts'
import { createDecks } from './decks.ts'
import { createDeclaredCommands } from './declared-commands.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { createInstances } from './instances.ts'
import { createOwnValues } from './own-values.ts'
import { readState, type State } from './state.ts'
import { createWorkerUpdates } from './updates.ts'
import { version } from './version.ts'

/** Milliseconds between two looks for the state of this machine. */
const stateEvery = 10_000

/** Milliseconds to flush pending messages before the process exits. */
const lastWords = 500

/** Waits for the state: its folder may be mounted later, or the machine may be enrolled again. */
async function enrolledState(stateFolder: string): Promise<State> {
  for (let isFirst = true; ; isFirst = false) {
    const state = await readState(stateFolder)
    if (state !== undefined) return state
    if (isFirst)
      writeLog(
        `${stateFolder} contains no edge. Mount the folder again, or enrol this machine with a new code from the Edges app`,
      )
    await sleep(stateEvery)
  }
}

/** The worker process. The supervisor restarts it on command and after a failure. */
export async function work({
  stateFolder,
  configFile,
}: {
  stateFolder: string
  configFile: string
}): Promise<ExitCode> {
  const state = await enrolledState(stateFolder)
  const config = await readConfig(configFile)
  const { instances: configured, commands: declared, values: endpoint, redact, environment } = config
  const instances = createInstances(configured, { stateFolder, redact, environment })
  const commands = createDeclaredCommands(declared, environment)
  const decks = createDecks()
  const values = createOwnValues()
  if (endpoint !== undefined) await values.start(endpoint)
  const { server, token, releaseKey, enrolment } = state
  const updates = createWorkerUpdates({ server, stateFolder, running: version })
  const connection = createConnection({
    server,
    token,
    releaseKey,
    enrolment,
    stateFolder,
    instances,
    commands,
    memory: createCommandMemory(stateFolder),
    decks,
    updates,
    values,
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => connection.stop(exitCodes.stopped))
  // The supervisor has exited without a message.
  process.on('disconnect', () => connection.stop(exitCodes.stopped))
  // It exited while this worker was starting.
  if (process.send !== undefined && !process.connected) return exitCodes.stopped
  // Kills the programs of commands, so that they do not outlive the agent.
  process.on('exit', () => {
    commands.stop()
    instances.kill()
  })
  void instances.start()
  void decks.start()
  try {
    return await connection.stayConnected()
  } finally {
    values.stop()
    await Promise.all([
      instances.stop(),
      Promise.race([decks.stop(), new Promise((resolve) => setTimeout(resolve, lastWords))]),
    ])
    writeLog('The agent ends')
  }
}
