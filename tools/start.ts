import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isConsoleBuilt } from './build-console.ts'
import { isEdgeAgentBuilt } from './build-edge-agent.ts'
import { areExtensionsBuilt } from './build-extensions.ts'

// A process of its own builds, because a builder takes memory that it does not give back.
if (!(await isConsoleBuilt())) runBuilder('build-console.ts')
if (!(await areExtensionsBuilt())) runBuilder('build-extensions.ts')
if (!(await isEdgeAgentBuilt())) runBuilder('build-edge-agent.ts')

function runBuilder(name: string): void {
  const builder = fileURLToPath(new URL(name, import.meta.url))
  const { status } = spawnSync(process.execPath, [builder], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

// npm ends its shell and not us when it is told to stop.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, 500).unref()
}
