import './thread-pool.mjs'
import './compile-cache.mjs'

const { run } = await import('./cli/run.ts')
process.exitCode = await run(process.argv.slice(2), process.env)
const { endProcess, hasPendingCalls } = await import('#platform/places/pending-calls.ts')
if (hasPendingCalls()) endProcess(process.exitCode)
