import { writeLog } from './agent-log.ts'
import { createCommandMemory } from './command-memory.ts'
import { readConfig } from './config.ts'
import { createConnection } from './connection.ts'
import { createDecks } from './decks.ts'
import { createDeclaredCommands } from './declared-commands.ts'
import { type ExitCode, exitCodes, Failure } from './exit-codes.ts'
import { createInstances } from './instances.ts'
import { createOwnValues } from './own-values.ts'
import { readState } from './state.ts'
import { createWorkerUpdates } from './updates.ts'
import { version } from './version.ts'

/** Milliseconds to flush pending messages before the process exits. */
const lastWords = 500

/** The worker process. The supervisor restarts it on command and after a failure. */
export async function work({
  stateFolder,
  configFile,
}: {
  stateFolder: string
  configFile: string
}): Promise<ExitCode> {
  const state = await readState(stateFolder)
  if (state === undefined)
    throw new Failure(
      exitCodes.refused,
      'This machine is no longer enrolled. Enrol it with a new code from the Edges app.',
    )
  const config = await readConfig(configFile)
  const { instances: configured, commands: declared, values: endpoint, redact, environment } = config
  const instances = createInstances(configured, { stateFolder, redact, environment })
  const commands = createDeclaredCommands(declared, environment)
  const decks = createDecks()
  const values = createOwnValues()
  if (endpoint !== undefined) await values.start(endpoint)
  const { server, token, releaseKey } = state
  const updates = createWorkerUpdates({ server, stateFolder, running: version })
  const connection = createConnection({
    server,
    token,
    releaseKey,
    stateFolder,
    instances,
    commands,
    memory: createCommandMemory(stateFolder),
    decks,
    updates,
    values,
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => connection.stop(exitCodes.stopped))
  // The supervisor has exited without a message.
  process.on('disconnect', () => connection.stop(exitCodes.stopped))
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
