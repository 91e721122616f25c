import { buildConsole } from './build-console.ts'

try {
  await buildConsole()
} catch (error) {
  console.error(`The console could not be built: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
await import('../apps/server/src/main.ts')
