import { execFileSync } from 'node:child_process'
import { cpus, loadavg, totalmem } from 'node:os'
import { root } from './installation.ts'

/** What the numbers were measured on. Taken before the start, when the bench itself is not yet a load. */
export function describeMachine(): string {
  const processors = cpus()
  const commit = git(['rev-parse', '--short=12', 'HEAD'])
  const changed = git(['status', '--porcelain']) === '' ? '' : ' with changes'
  return [
    `${new Date().toISOString().slice(0, 10)}, commit ${commit}${changed}`,
    `${processors.length} x ${processors[0]?.model.trim() ?? 'unknown'}, ${(totalmem() / 1e9).toFixed(0)} GB`,
    `${process.platform} ${process.arch}, Node ${process.versions.node}`,
    `load before the start: ${loadavg()[0]?.toFixed(1)}`,
  ].join('; ')
}

function git(args: string[]): string {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unknown'
  }
}
