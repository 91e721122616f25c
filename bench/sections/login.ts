import { limits } from '@pult/contract'
import { type Browser, chromium } from 'playwright-core'
import { chromiumFlags, findBrowser } from '../../tools/browser.ts'
import { accessibilityFindings } from '../browser/findings.ts'
import { floorSite, pultSite, type Site } from '../browser/sites.ts'
import { type Visit, visit, visitAgain, visitSignedIn } from '../browser/visit.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

/**
 * Number of unthrottled visits for each throttled one. They are short, and a frame of 16 ms is a large part of them.
 */
const visitsPerPair = 3

interface Visits {
  ours: Visit[]
  floor: Visit[]
}

/** Measures the time from the address to the home page in a real browser, and the same for a bare React form. */
export async function* measureLogin(bench: Workbench, pairs: number): AsyncGenerator<Row> {
  const { pultUrl, floorUrl, people } = await bench.pair()
  await people.startOver()
  const sites = { ours: pultSite(pultUrl), floor: floorSite(floorUrl) }
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumFlags })
  try {
    const throttled = await visitInTurn(browser, sites, pairs, true)
    const unthrottled = await visitInTurn(browser, sites, pairs * visitsPerPair, false)
    // Separate sessions, because a starting console reissues its token, and a second use of the old one ends the
    // session.
    const [visited, other] = unthrottled.ours
    if (visited === undefined || other === undefined) throw new Error('No page was visited')
    const signedIn = await visitSignedIn(browser, sites.ours, visited.storage)
    const again = await visitAgain(browser, sites.ours, other.storage, pairs * visitsPerPair)
    const findings = await accessibilityFindings(browser, sites.ours)
    const violations = [...throttled.ours, ...unthrottled.ours].flatMap((each) => each.violations)
    yield* [
      ...trafficRows(unthrottled),
      {
        name: 'console frame, JS + CSS',
        unit: 'kB',
        ours: [signedIn.scriptAndStyleBytes / 1000],
        bar: { kind: 'at most', value: 200 },
        note: `signed in, empty cache, ${compression(signedIn.uncompressed)}`,
      },
      ...timeRows(throttled, unthrottled),
      {
        name: 'warm boot, signed in, to home',
        unit: 'ms',
        ours: again,
        note: 'its files come from the browser cache',
      },
      {
        name: 'violations of the content security policy',
        unit: '',
        ours: [violations.length],
        bar: { kind: 'at most', value: 0 },
        note: firstOf(violations, 'login to home, all visits'),
      },
      {
        name: 'axe findings, login page',
        unit: '',
        ours: [findings.length],
        bar: { kind: 'at most', value: 0 },
        note: firstOf(findings, 'two steps, light and dark, 390 and 1280 px'),
      },
    ]
  } finally {
    await browser.close()
  }
}

/** Visits the sides in turn (A B, A B, …), after one uncounted visit of each. */
async function visitInTurn(
  browser: Browser,
  sites: { ours: Site; floor: Site },
  pairs: number,
  throttled: boolean,
): Promise<Visits> {
  const visits: Visits = { ours: [], floor: [] }
  for (let pair = -1; pair < pairs; pair += 1) {
    for (const side of ['ours', 'floor'] as const) {
      const made = await visit(browser, sites[side], { throttled })
      if (pair >= 0) visits[side].push(made)
    }
  }
  return visits
}

function trafficRows({ ours, floor }: Visits): Row[] {
  const [our, bare] = [ours[0]?.traffic, floor[0]?.traffic]
  if (our === undefined || bare === undefined) throw new Error('No page was visited')
  return [
    {
      name: 'login page, JS + CSS',
      unit: 'kB',
      ours: [our.scriptAndStyleBytes / 1000],
      floor: [bare.scriptAndStyleBytes / 1000],
      bar: { kind: 'at most', value: 100 },
      note: compression(our.uncompressed),
    },
    { name: 'login page, everything', unit: 'kB', ours: [our.bytes / 1000], floor: [bare.bytes / 1000] },
    { name: 'login page, requests', unit: '', ours: [our.requests], floor: [bare.requests] },
  ]
}

function timeRows(throttled: Visits, unthrottled: Visits): Row[] {
  const usable = ({ ours, floor }: Visits) => ({
    ours: ours.map((each) => each.usable),
    floor: floor.map((each) => each.usable),
  })
  const submitToHome = ({ ours, floor }: Visits) => ({
    ours: ours.map((each) => each.submitToHome),
    floor: floor.map((each) => each.submitToHome),
  })
  const { bootDoneDelay } = limits
  return [
    {
      name: 'login form usable, throttled',
      unit: 'ms',
      ...usable(throttled),
      note: 'empty cache, Fast 4G, CPU 4x slower',
    },
    {
      name: 'login form usable',
      unit: 'ms',
      ...usable(unthrottled),
      note: 'empty cache',
    },
    {
      name: 'submit to home',
      unit: 'ms',
      ...submitToHome(unthrottled),
      bar: { kind: 'at most', value: 450 },
      note: `includes ${bootDoneDelay} ms of the boot screen (BOOT-04)`,
    },
    {
      name: 'submit to home, throttled',
      unit: 'ms',
      ...submitToHome(throttled),
      bar: { kind: 'at most', value: 1300 },
      note: 'Fast 4G, CPU 4x slower',
    },
  ]
}

const compression = (uncompressed: string[]) => firstOf(uncompressed, 'all brotli', 'not brotli: ')

function firstOf(found: string[], whenNone: string, before = ''): string {
  if (found.length === 0) return whenNone
  const kinds = [...new Set(found)]
  return `${before}${kinds.slice(0, 2).join(', ')}${kinds.length > 2 ? ` and ${kinds.length - 2} more` : ''}`
}
