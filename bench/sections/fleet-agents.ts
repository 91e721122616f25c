import { createCommandMemory } from '../../apps/edge-agent/src/command-memory.ts'
import { createConnection } from '../../apps/edge-agent/src/connection.ts'
import { createDecks } from '../../apps/edge-agent/src/decks.ts'
import { createDeclaredCommands } from '../../apps/edge-agent/src/declared-commands.ts'
import { createInstances } from '../../apps/edge-agent/src/instances.ts'
import { createUpdates } from '../../apps/edge-agent/src/updates.ts'

/** Values of programs per edge. With load, memory and disk each edge of the bench has 12 values. */
const ownValues = 9

/** Milliseconds between the starts of two agents. */
const between = 10

// Runs many agents in one process, each with the protocol code of the real agent. The first message contains their
// tokens; the agents run until the bench ends the process.
process.once('message', ({ server, tokens }: { server: string; tokens: string[] }) => {
  for (const [index, token] of tokens.entries()) {
    const connection = createConnection({
      server,
      token,
      releaseKey: undefined,
      enrolment: undefined,
      stateFolder: '/',
      instances: createInstances([], { stateFolder: '/', redact: [] }),
      commands: createDeclaredCommands([]),
      memory: createCommandMemory('/'),
      decks: createDecks(),
      updates: createUpdates({
        server,
        stateFolder: '/',
        running: '0.0.0',
        callSupervisor: undefined,
        noteReached: () => {},
        isOnTrial: false,
      }),
      values: {
        report: () =>
          Array.from({ length: ownValues }, (_, key) => ({
            key: `value-${key}`,
            value: Math.round(Math.random() * 100_000) / 100,
            unit: '°C',
          })),
      },
    })
    setTimeout(() => void connection.stayConnected().catch(() => {}), index * between)
  }
})
process.once('disconnect', () => process.exit(0))
