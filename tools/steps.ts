import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { endOf } from '../apps/server/src/platform/child-end.ts'

export const root = join(import.meta.dirname, '..')

export interface Command {
  program: string
  args: string[]
}

/** One line of `npm run check`: commands that run in parallel and must all pass. */
export interface Step {
  name: string
  commands: Command[]
}

export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
}

const packaged = (name: string) => join(root, 'node_modules/.bin', name)
const typesOf = (project: string) => ({ program: packaged('tsc'), args: ['-p', project] })

export const typedProjects = [
  '.',
  'tsconfig.browser-tests.json',
  'apps/console',
  'packages/ui',
  'packages/extension-sdk',
  'extensions',
  'packages/create-pult-extension/template',
  'apps/edge-agent',
  'bench',
]

export const staticSteps: Step[] = [
  { name: 'types', commands: typedProjects.map(typesOf) },
  { name: 'lint', commands: [{ program: packaged('oxlint'), args: ['--type-aware', '--deny-warnings'] }] },
  {
    name: 'format',
    commands: [
      {
        program: packaged('biome'),
        args: ['check', '--linter-enabled=false', '--no-errors-on-unmatched', '.'],
      },
    ],
  },
  { name: 'boundaries', commands: [{ program: process.execPath, args: ['tools/boundaries/check.ts'] }] },
  { name: 'knip', commands: [{ program: packaged('knip'), args: ['--no-progress', '--no-config-hints'] }] },
  { name: 'texts', commands: [{ program: process.execPath, args: ['tools/texts/check.ts'] }] },
  { name: 'words', commands: [{ program: process.execPath, args: ['tools/words/check.ts'] }] },
]

/** Selects the static checks for a change: types and rules of the repository, lint and format of the changed files. */
export function stepsFor(files: readonly string[]): Step[] {
  const scripts = files.filter((file) => /\.[cm]?[jt]sx?$/.test(file))
  const only: Record<string, readonly string[]> = { lint: scripts, format: files }
  return staticSteps.flatMap((step) => {
    const chosen = only[step.name]
    if (chosen === undefined) return [step]
    const commands = step.commands.map(({ program, args }) => ({
      program,
      args: [...args.filter((arg) => arg !== '.'), ...chosen],
    }))
    return chosen.length === 0 ? [] : [{ ...step, commands }]
  })
}

export const vitestCommand = (args: string[]): Command => ({
  program: packaged('vitest'),
  args: ['run', ...args],
})

/** Runs a step and prints its line, with the output of commands that failed. */
export async function runStep(step: Step): Promise<boolean> {
  const start = performance.now()
  const outputs = await Promise.all(step.commands.map((command) => outputOfFailure(command)))
  const failures = outputs.filter((output) => output !== null)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${step.name.padEnd(12)}${seconds.padStart(6)} s${failures.length > 0 ? '  FAILED' : ''}`)
  for (const output of failures) console.log(output)
  return failures.length === 0
}

/** Runs a command without showing its output. Returns null on success, the whole output on failure. */
export function outputOfFailure(
  { program, args }: Command,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | null> {
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return endOf(child).then(
    ({ code }) => (code === 0 ? null : output.trimEnd()),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}

/** Runs a command and shows its output as it comes. */
export function runShown(
  { program, args }: Command,
  { env = process.env, folder = root }: { env?: NodeJS.ProcessEnv; folder?: string } = {},
): Promise<Ending> {
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'inherit', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}
