import { createCommandMemory } from '../../apps/edge-agent/src/command-memory.ts'
import { createConnection } from '../../apps/edge-agent/src/connection.ts'
import { createDecks } from '../../apps/edge-agent/src/decks.ts'
import { createDeclaredCommands } from '../../apps/edge-agent/src/declared-commands.ts'
import { createInstances } from '../../apps/edge-agent/src/instances.ts'
import { createUpdates } from '../../apps/edge-agent/src/updates.ts'

/** Own values of each edge. With load, memory and disk an edge of the bench has 12. */
const ownValues = 9

/** Milliseconds between the starts of two agents. */
const between = 10

// A process of many agents, each with the protocol code of the real one. The first message has their tokens; they run
// until the bench ends the process.
process.once('message', ({ server, tokens }: { server: string; tokens: string[] }) => {
  for (const [index, token] of tokens.entries()) {
    const connection = createConnection({
      server,
      token,
      releaseKey: undefined,
      stateFolder: '/',
      instances: createInstances([], { stateFolder: '/', redact: [] }),
      commands: createDeclaredCommands([]),
      memory: createCommandMemory('/'),
      decks: createDecks(),
      updates: createUpdates({
        server,
        stateFolder: '/',
        running: '0.0.0',
        tell: undefined,
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
    setTimeout(() => void connection.keep().catch(() => {}), index * between)
  }
})
process.once('disconnect', () => process.exit(0))
