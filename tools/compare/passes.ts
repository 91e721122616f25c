import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import type { DemoName } from '../demo/demo-people.ts'
import type { State } from '../screenshots/state.ts'
import { compareFolder } from './checkouts.ts'
import { type Difference, differenceOfLines, differenceOfPictures, type Kind } from './differences.ts'
import { emptyRecording, openFront, type Recording } from './recording.ts'
import { type Place, readExtensionCode, signIn, startDemo, startServer } from './servers.ts'
import {
  nameOf,
  type Observer,
  type Pass,
  type Theme,
  type Visit,
  visitMinute,
  visitState,
  visitsOf,
  type Width,
} from './visits.ts'

export interface Scope {
  states: readonly State[]
  widths: readonly Width[]
  themes: readonly Theme[]
}

/** The demo of the first commit and everything that its console requested. */
export interface Recorded {
  place: Place
  pass: Pass
  recording: Recording
  /** Visits that succeeded. */
  visits: readonly Visit[]
  /** States whose requests are compared: those without steps, because steps do not wait for a simulated clock. */
  minutes: readonly State[]
  notes: string[]
}

/** Number of visits at the same time. While a page waits, another one is drawn. */
const workers = 2

/** Starts the demo of a checkout, visits all states and records the replies of the API. */
export async function record(
  folder: string,
  place: Place,
  browser: Browser,
  scope: Scope,
): Promise<Recorded> {
  const { server, password } = await startDemo(folder, place)
  const tokens = new Map<DemoName, string>()
  for (const { as } of scope.states)
    if (as !== undefined && !tokens.has(as)) tokens.set(as, await signIn(place, as, password))
  const recording = emptyRecording()
  const timeOf = (state: string) => recording.times.get(state) ?? 0
  const pass: Pass = { browser, url: place.url, password, tokens, timeOf, ...scope }
  const visits: Visit[] = []
  const notes: string[] = []
  const observer: Observer = { picture: async () => {}, text: async () => {} }
  const front = await openFront({ ...place, recording })
  await inParallel(scope.states, async (state) => {
    recording.times.set(state.name, Date.now())
    for (const visit of visitsOf(state, scope.widths)) {
      const possible = [visit, { ...visit, locales: visit.locales.slice(0, 1) }]
      for (const { locales } of possible) {
        const attempt = { ...visit, locales }
        const failure = await failureOf(() => visitState({ ...pass, themes: ['light'] }, attempt, observer))
        if (failure === null) visits.push(attempt)
        else notes.push(`${nameOf(attempt)} (${locales.join(', ')}) is left out: ${failure}`)
        if (failure === null) break
      }
    }
    if (state.act === undefined) await failureOf(() => visitMinute(pass, state, observer))
  })
  await front.stop()
  await server.stop()
  const minutes = scope.states.filter(({ act }) => act === undefined)
  return { place, pass, recording, visits, minutes, notes }
}

/** Visits the recorded states with the console of a checkout. Returns the failures by name. */
async function replay(folder: string, recorded: Recorded, observer: Observer): Promise<Map<string, string>> {
  const { place, pass, recording, visits, minutes, notes } = recorded
  const server = await startServer(folder, place)
  const code = await readExtensionCode(place, pass.password)
  const front = await openFront({ ...place, recording, code })
  const failures = new Map<string, string>()
  async function attempt(name: string, action: () => Promise<void>): Promise<void> {
    const failure = await failureOf(action)
    if (failure !== null) failures.set(name, failure)
  }
  await inParallel(visits, (visit) => attempt(nameOf(visit), () => visitState(pass, visit, observer)))
  await inParallel(minutes, (state) =>
    attempt(`${state.name} requests`, () => visitMinute(pass, state, observer)),
  )
  notes.push(...[...front.notRecorded].map((missing) => `No reply was recorded for ${missing}`))
  await front.stop()
  await server.stop()
  return failures
}

/** The appearance and behaviour of a console, by name. */
export interface Observed {
  pictures: ReadonlyMap<string, Buffer>
  texts: ReadonlyMap<string, string>
  failures: ReadonlyMap<string, string>
}

/** Observes the console of a checkout. */
export async function observeConsole(folder: string, recorded: Recorded): Promise<Observed> {
  const pictures = new Map<string, Buffer>()
  const texts = new Map<string, string>()
  const failures = await replay(folder, recorded, {
    picture: async (name, page) => void pictures.set(name, await shootStill(page)),
    text: async (kind, name, read) => void texts.set(`${kind} ${name}`, await read()),
  })
  return { pictures, texts, failures }
}

/** Compares the console of a checkout with an observed one. Writes the pictures that differ. */
export async function compareConsole(folder: string, recorded: Recorded, observed: Observed) {
  const { length } = recorded.visits
  const compared: Record<Kind, number> = { picture: 0, tree: 0, focus: 0, requests: 0, visit: length }
  const differences: Difference[] = []
  const failures = await replay(folder, recorded, {
    async picture(name, page) {
      const before = observed.pictures.get(name)
      if (before === undefined) return
      compared.picture += 1
      const content = await comparePicture(before, name, page)
      if (content !== null) differences.push({ kind: 'picture', name, content })
    },
    async text(kind, name, read) {
      const before = observed.texts.get(`${kind} ${name}`)
      if (before === undefined) return
      compared[kind] += 1
      let lines = differenceOfLines(before, await read())
      // A late reply may still change the tree. The other texts can be read only one time.
      for (let tries = kind === 'tree' ? 3 : 0; tries > 0 && lines.length > 0; tries -= 1) {
        await wait(300)
        lines = differenceOfLines(before, await read())
      }
      if (lines.length > 0) differences.push({ kind, name, content: ['```diff', ...lines, '```'].join('\n') })
    },
  })
  const failed = { Before: observed.failures, After: failures }
  for (const [side, reasons] of Object.entries(failed))
    for (const [name, reason] of reasons)
      differences.push({ kind: 'visit', name, content: `${side}: ${reason}` })
  return { compared, differences: differences.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }
}

/** Compares a page with the picture before the change. Returns links to the pictures, or null. */
async function comparePicture(before: Buffer, name: string, page: Page): Promise<string | null> {
  let after = await shoot(page)
  let difference = await differenceOfPictures(before, after)
  // The page may still be changing.
  for (let tries = 0; tries < 3 && difference !== null; tries += 1) {
    await wait(300)
    after = await shoot(page)
    difference = await differenceOfPictures(before, after)
  }
  if (difference === null) return null
  const links: string[] = []
  for (const [folder, content] of Object.entries({ before, after, diff: difference.marked })) {
    const file = `${folder}/${name.replaceAll(' ', '-')}.png`
    await writeFile(join(compareFolder, file), content)
    links.push(`[${folder}](${file})`)
  }
  return `${difference.pixels} pixels: ${links.join(' · ')}`
}

const shoot = (page: Page) => page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' })

/** Takes a picture when the page no longer changes. */
async function shootStill(page: Page): Promise<Buffer> {
  let picture = await shoot(page)
  for (let tries = 0; tries < 5; tries += 1) {
    await wait(50)
    const next = await shoot(page)
    if (next.equals(picture)) break
    picture = next
  }
  return picture
}

/** Returns the first line of the error, or null. */
async function failureOf(action: () => Promise<void>): Promise<string | null> {
  try {
    await action()
    return null
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
  }
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = [...items]
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: workers }, worker))
}
