import { readConfig } from './config.ts'
import { createConnection } from './connection.ts'
import { createDecks } from './decks.ts'
import { type ExitCode, exitCodes, Failure } from './exit-codes.ts'
import { createInstances } from './instances.ts'
import { say } from './say.ts'
import { readState } from './state.ts'

/** Milliseconds in which what was just sent leaves before the process ends. */
const lastWords = 500

/** The process that does the work. The other one starts it anew when it is told to restart, and when it fails. */
export async function work({
  stateFolder,
  configFile,
}: {
  stateFolder: string
  configFile: string
}): Promise<ExitCode> {
  const state = await readState(stateFolder)
  if (state === undefined) throw new Failure(exitCodes.refused, 'This machine is no edge any more')
  const { instances: configured } = await readConfig(configFile)
  const instances = createInstances(configured)
  const decks = createDecks()
  const { server, token } = state
  const connection = createConnection({ server, token, stateFolder, instances, decks })
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => connection.stop(exitCodes.stopped))
  // The other process has ended without a word.
  process.on('disconnect', () => connection.stop(exitCodes.stopped))
  void instances.start()
  void decks.start()
  try {
    return await connection.keep()
  } finally {
    instances.stop()
    await Promise.race([decks.stop(), new Promise((resolve) => setTimeout(resolve, lastWords))])
    say('The agent ends')
  }
}
