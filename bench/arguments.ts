import { parseArgs } from 'node:util'

/** What the bench measures, in the order in which it does. */
export const sectionNames = [
  'install',
  'start',
  'memory',
  'login',
  'extensions',
  'windows',
  'palette',
  'me',
  'logins',
  'flood',
  'timing',
  'profile',
  'broadcast',
  'sockets',
  'projects',
  'audit',
  'tasks',
  'edges',
  'export',
  'files',
] as const
export type SectionName = (typeof sectionNames)[number]

export interface BenchOptions {
  sections: readonly SectionName[]
  /** Logins of the timing section, known and unknown names together. */
  samples: number
  /** Page loads of each side, of the kind that counts most. */
  pairs: number
  /** A tenth of the records, sockets and seconds of the sections below `timing`: to see that they work. */
  isQuick: boolean
}

export const usage = `npm run bench -- [SECTION ...] [--no-install] [--samples=5000] [--pairs=7] [--quick]

  install    a fresh clone until its packages are there, and until it is ready
  start      from the process to the ready line: first, later, with npm
  memory     server and database, idle
  login      the login page: bytes, requests, time to usable, submit to home, violations, findings
  extensions what extensions cost: shared modules, a small one, 50 of them at the boot, opening an app
  windows    dragging one of 20 windows: the main thread's share of a frame
  palette    a search among 10,000 entries
  me         GET /me under load
  logins     logins under load
  flood      GET /me while 200 people sign in at once
  timing     whether the time of a refusal tells known names from unknown ones
  profile    a changed name, beside a bare durable update
  broadcast  one change that 1,000 sockets hear, beside a bare broadcast
  sockets    2,000 sockets and 300 calls a second for a minute: events lost, events that went astray
  projects   50 of 3,000 projects, among 5,000 rows and among 500,000
  audit      pages and searches of an audit log of 1,000,000 rows
  tasks      10,000 reports of progress a second on 200 screens, and a list beside 1,000,000 archived tasks
  edges      1,000 agents that report every 5 s, and how soon a screen shows who comes and goes
  export     a project with 2 GiB of media as a ZIP, and what the process grows by
  files      an upload of 1 GiB, beside a bare stream to disk

--quick measures those from profile on with a tenth of the records, sockets and seconds: that shows that they work, and no more.`

/** Throws an error of one line when an argument is none of these. */
export function readArguments(args: string[]): BenchOptions | 'help' {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      'no-install': { type: 'boolean' },
      samples: { type: 'string', default: '5000' },
      pairs: { type: 'string', default: '7' },
      quick: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  const named = positionals.map(sectionOf)
  const wanted = named.length > 0 ? sectionNames.filter((name) => named.includes(name)) : sectionNames
  return {
    sections: wanted.filter((name) => name !== 'install' || !values['no-install']),
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
