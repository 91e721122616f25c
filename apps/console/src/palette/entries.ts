import type { ReactNode } from 'react'
import { type Match, match, parseQuery, type Range, type Searchable } from './fuzzy.ts'

/** The groups, in the order in which they stand before anybody types. */
export const groups = ['apps', 'actions', 'projects', 'people', 'pages', 'settings'] as const
export type Group = (typeof groups)[number]

/** Something that the palette leads to. */
export interface Entry {
  /** The same from one visit to the next: what was chosen last is known by it. */
  id: string
  group: Group
  label: string
  /** Where it belongs, in a quieter type. */
  detail?: string
  icon: ReactNode
  shortcut?: string
  search: Searchable
  run: () => void
  /** Opens it as a window, where it can be one. */
  runInWindow?: () => void
  /** Of something that is an entry itself: shown only when it is searched for. */
  isPart?: boolean
  /** The server has found it, whatever its label says. */
  isFound?: boolean
}

/** An entry as it is shown. */
export interface Found {
  entry: Entry
  ranges: readonly Range[]
}

export interface Section {
  group: Group | 'recent'
  found: readonly Found[]
}

const perGroup = 8
const recentShown = 5
/** For the one that was chosen last; less for those before. */
const recentBonus = 24

/** What the palette shows: without a query what was chosen last and then everything, else what fits, the best first. */
export function sectionsOf(entries: readonly Entry[], text: string, recent: readonly string[]): Section[] {
  const query = parseQuery(text)
  return query.terms.length === 0 ? browse(entries, recent) : find(entries, query, recent)
}

function browse(entries: readonly Entry[], recent: readonly string[]): Section[] {
  const chosen = recent.flatMap((id) => entries.find((entry) => entry.id === id) ?? []).slice(0, recentShown)
  const rest = entries.filter((entry) => entry.isPart !== true && !chosen.includes(entry))
  return [
    { group: 'recent' as const, found: chosen.map(unmarked) },
    ...groups.map((group) => ({
      group,
      found: rest
        .filter((entry) => entry.group === group)
        .slice(0, perGroup)
        .map(unmarked),
    })),
  ].filter(({ found }) => found.length > 0)
}

const unmarked = (entry: Entry): Found => ({ entry, ranges: [] })
/** What the server found by something that the palette does not show. */
const foundElsewhere: Match = { score: 20, ranges: [] }

function find(
  entries: readonly Entry[],
  query: ReturnType<typeof parseQuery>,
  recent: readonly string[],
): Section[] {
  const places = new Map(recent.map((id, index) => [id, index]))
  const byGroup = new Map<Group, (Found & { score: number })[]>()
  for (const entry of entries) {
    const matched = match(query, entry.search) ?? (entry.isFound === true ? foundElsewhere : null)
    if (matched === null) continue
    const place = places.get(entry.id)
    const score = matched.score + (place === undefined ? 0 : recentBonus / (place + 1))
    const found = byGroup.get(entry.group) ?? []
    found.push({ entry, ranges: matched.ranges, score })
    byGroup.set(entry.group, found)
  }
  return [...byGroup]
    .map(([group, found]) => ({
      group,
      found: found.toSorted((a, b) => b.score - a.score).slice(0, perGroup),
    }))
    .toSorted((a, b) => (b.found[0]?.score ?? 0) - (a.found[0]?.score ?? 0))
}
