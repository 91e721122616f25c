import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { root } from './installation.ts'

/** Returns a description of the machine. Call it before the measurements, while the bench causes no load. */
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

/**
 * Measures the share of processor time taken by other guests of the same hardware (steal time), in percent. With more
 * than 1 to 2 %, times of a few milliseconds are meaningless. Undefined if the system does not report it.
 */
export function watchStolenTime(): () => number | undefined {
  const before = processorTimes()
  return () => {
    const passed = processorTimes().map((ticks, place) => ticks - (before[place] ?? 0))
    const all = passed.reduce((sum, ticks) => sum + ticks, 0)
    return all === 0 ? undefined : (100 * (passed[stolen] ?? 0)) / all
  }
}

/** user, nice, system, idle, iowait, irq, softirq, steal. https://man7.org/linux/man-pages/man5/proc_stat.5.html */
const stolen = 7

function processorTimes(): number[] {
  if (process.platform !== 'linux') return []
  const [, ...times] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/)
  return times.slice(0, stolen + 1).map(Number)
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
