import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isConsoleBuilt } from './build-console.ts'
import { isEdgeAgentBuilt } from './build-edge-agent.ts'
import { areExtensionsBuilt } from './build-extensions.ts'

// A separate process builds, because a bundler does not release its memory.
if (!(await isConsoleBuilt())) runBuilder('build-console.ts')
if (!(await areExtensionsBuilt())) runBuilder('build-extensions.ts')
if (!(await isEdgeAgentBuilt())) runBuilder('build-edge-agent.ts')

function runBuilder(name: string): void {
  const builder = fileURLToPath(new URL(name, import.meta.url))
  const { status } = spawnSync(process.execPath, [builder], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
