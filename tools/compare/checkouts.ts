import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../steps.ts'

const execute = promisify(execFile)

/** The folder of all files of a comparison, which git ignores. */
export const compareFolder = join(root, 'data/compare')

/** Returns the full hash of a commit. Throws if it does not exist. */
export async function commitOf(name: string): Promise<string> {
  const args = ['rev-parse', '--verify', '--end-of-options', `${name}^{commit}`]
  return (await execute('git', args, { cwd: root })).stdout.trim()
}

/** Checks a commit out with its packages, once. Returns the folder. */
export async function checkOut(commit: string): Promise<string> {
  const folder = join(compareFolder, 'checkouts', commit)
  const done = join(folder, 'node_modules/.compare-done')
  if (existsSync(done)) return folder
  await rm(folder, { recursive: true, force: true })
  await execute('git', ['clone', '--quiet', '--local', '--no-checkout', root, folder])
  await execute('git', ['checkout', '--quiet', '--detach', commit], { cwd: folder })
  await addPackages(folder)
  await writeFile(done, '')
  return folder
}

/** Links the packages of this checkout if they are the same, because an installation takes a minute. */
async function addPackages(folder: string): Promise<void> {
  const lockfileOf = (of: string) => readFile(join(of, 'package-lock.json'), 'utf8')
  if ((await lockfileOf(folder)) !== (await lockfileOf(root))) {
    await execute('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
    return
  }
  const installed = globSync(['node_modules', '{apps,packages,extensions}/*/node_modules'], { cwd: root })
  for (const path of installed) await execute('cp', ['-al', join(root, path), join(folder, path)])
}
