import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withLock } from '../lock-folder.mjs'
import { root } from '../steps.ts'

const execute = promisify(execFile)

/**
 * Checkers that others point at Pult. They are large and check only a finished product, so package-lock.json does not
 * contain them: see docs/decisions/0198-the-long-tests-install-third-party-checkers.md.
 */
const tools = {
  redocly: { packages: ['@redocly/cli@2.77.0'], program: 'redocly' },
  spectral: { packages: ['@stoplight/spectral-cli@6.16.3'], program: 'spectral' },
  // Both call the compiler's JavaScript API, which version 7 does not have.
  'hey-api': { packages: ['@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3'], program: 'openapi-ts' },
  'openapi-typescript': {
    packages: ['openapi-typescript@7.13.0', 'typescript@5.9.3'],
    program: 'openapi-typescript',
  },
  publint: { packages: ['publint@0.3.25'], program: 'publint' },
  attw: { packages: ['@arethetypeswrong/cli@0.18.5'], program: 'attw' },
  lighthouse: { packages: ['lighthouse@13.5.0'], program: 'lighthouse' },
  'html-validate': { packages: ['html-validate@11.21.1'], program: 'html-validate' },
} satisfies Record<string, { packages: string[]; program: string }>
export type ThirdPartyToolName = keyof typeof tools

interface ToolRun {
  code: number
  stdout: string
  stderr: string
}

export interface ThirdPartyTool {
  run: (args: readonly string[], options?: { cwd?: string }) => Promise<ToolRun>
}

const cacheFolder = join(root, 'node_modules/.cache/pult-third-party')
const installLimit = 300

/** Without colours, questions, statistics and notices of updates. */
const quiet = {
  NO_COLOR: '1',
  FORCE_COLOR: '0',
  CI: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

/**
 * Returns a tool, and installs its exact version on first use, without scripts of packages. Returns the reason if it may
 * not run, or the registry does not answer: `if ('reason' in tool) return skip(tool.reason)`.
 */
export async function thirdPartyTool(
  name: ThirdPartyToolName,
  { mayRun }: { mayRun: boolean },
): Promise<ThirdPartyTool | { reason: string }> {
  const { packages, program } = tools[name]
  const modules = await thirdPartyModules(name, packages, { mayRun })
  if (typeof modules !== 'string') return modules
  const path = join(modules, '.bin', program)
  return {
    run: (args, { cwd = root } = {}) =>
      new Promise((resolve) => {
        execFile(
          process.execPath,
          [path, ...args],
          { cwd, env: { ...process.env, ...quiet }, maxBuffer: 64 * 1024 * 1024 },
          (error, stdout, stderr) => {
            const code = typeof error?.code === 'number' ? error.code : Number(error !== null)
            resolve({ code, stdout, stderr })
          },
        )
      }),
  }
}

/** Returns the folder of the installed packages, or the reason, as `thirdPartyTool` does. */
export async function thirdPartyModules(
  name: string,
  packages: readonly string[],
  { mayRun }: { mayRun: boolean },
): Promise<string | { reason: string }> {
  if (!mayRun) return { reason: `npm run test:long runs ${name}` }
  const folder = join(cacheFolder, packages.join('+').replaceAll('/', '-'))
  if (!existsSync(folder)) {
    try {
      await withLock(`third-party-${name}`, { timeoutSeconds: installLimit }, () => install(packages, folder))
    } catch (error) {
      const lines = error instanceof Error ? error.message.trim().split('\n') : [String(error)]
      return {
        reason: `${name} cannot be installed: ${lines.find((line) => line.includes('npm error')) ?? lines[0]}`,
      }
    }
  }
  return join(folder, 'node_modules')
}

async function install(packages: readonly string[], folder: string): Promise<void> {
  // Another process may have installed it while this one waited for the lock.
  if (existsSync(folder)) return
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true })
  const options = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  await execute('npm', ['install', '--prefix', partial, ...options, '--fetch-retries=1', ...packages], {
    cwd: partial,
    timeout: installLimit * 1000,
    shell: process.platform === 'win32',
  })
  await rename(partial, folder)
}
