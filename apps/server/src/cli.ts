import './thread-pool.mjs'
import './compile-cache.mjs'

// The reader may end first, as in `pult status | head -1`. The command completes, and stops a database that it started.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const { run } = await import('./cli/run.ts')
process.exitCode = await run(process.argv.slice(2), process.env)
const { endProcess, hasPendingCalls } = await import('#platform/places/pending-calls.ts')
if (hasPendingCalls()) endProcess(process.exitCode)
