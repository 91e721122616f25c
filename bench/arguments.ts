import { parseArgs } from 'node:util'

/** The sections, in execution order. */
export const sectionNames = [
  'start',
  'memory',
  'login',
  'flood',
  'timing',
  'broadcast',
  'sockets',
  'projects',
  'tasks',
  'edges',
  'fleet',
  'sizing',
  'home',
  'scroll',
  'files',
  'backup',
] as const
export type SectionName = (typeof sectionNames)[number]

export interface BenchOptions {
  sections: readonly SectionName[]
  /** Number of logins of the timing section, known and unknown names together. */
  samples: number
  /** Number of throttled page loads of each side. */
  pairs: number
  /** Runs the sections after `timing` with a tenth of the records, sockets and seconds. */
  isQuick: boolean
}

export const usage = `npm run bench -- [SECTION ...] [--samples=5000] [--pairs=7] [--quick]

  start      from the process to the ready line: first, later, with npm
  memory     server and database, idle
  login      the login page: bytes, requests, time to usable, submit to home, violations, findings
  flood      GET /me while 200 users sign in concurrently
  timing     whether the time of a rejection distinguishes known names from unknown ones
  broadcast  one change that 1,000 sockets receive, beside a bare broadcast
  sockets    2,000 sockets and 300 calls a second for a minute: lost events, events to the wrong sockets
  projects   50 of 3,000 projects, among 5,000 rows and among 500,000
  tasks      10,000 reports of progress a second on 200 screens, and a list beside 1,000,000 archived tasks
  edges      1,000 agents that report every 5 s, and the delay until a screen shows presence
  fleet      the values of 1,000 edges over time: processor, bytes, a chart, samples lost in restarts, the list by a tag
  sizing     cores and memory for 500, 2,000 and 5,000 edges
  home       the home of a project with 500 edges, and the overview of 1,000 projects
  scroll     a table of 5,000 rows that scrolls, with a four times slower processor
  files      an upload of 1 GiB, beside a bare stream to disk
  backup     a backup of 1,000,000 audit entries and 5 GiB, its drill, a second backup and the restore, beside a reader

--quick runs the sections after timing with a tenth of the records, sockets and seconds, to check only that they work.`

/** Parses the arguments. Throws a one-line error for an invalid one. */
export function readArguments(args: string[]): BenchOptions | 'help' {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      samples: { type: 'string', default: '5000' },
      pairs: { type: 'string', default: '7' },
      quick: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  const named = positionals.map(sectionOf)
  const selected = named.length > 0 ? sectionNames.filter((name) => named.includes(name)) : sectionNames
  return {
    sections: selected,
    samples: count('samples', values.samples, 100),
    pairs: count('pairs', values.pairs, 1),
    isQuick: values.quick,
  }
}

function sectionOf(text: string): SectionName {
  const found = sectionNames.find((name) => name === text)
  if (found === undefined) {
    throw new Error(`There is no section "${text}". The sections are ${sectionNames.join(', ')}`)
  }
  return found
}

function count(name: string, text: string, least: number): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < least || value > 100_000) {
    throw new Error(`--${name} must be a whole number from ${least} to 100000`)
  }
  return value
}
