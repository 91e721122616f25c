import type { ReactNode } from 'react'
import { fold, type Match, match, parseQuery, type Range, type Searchable } from './fuzzy.ts'
import { inBoth } from './in-both.ts'
import { texts } from './palette.texts.ts'

/** The groups, in their display order without a query. */
const groups = [
  'apps',
  'edges',
  'records',
  'fromApps',
  'actions',
  'projects',
  'people',
  'pages',
  'settings',
] as const
type Group = (typeof groups)[number]

/** A destination or action of the palette. */
export interface Entry {
  /** Stable across visits, because the recent choices are stored by it. */
  id: string
  group: Group
  label: string
  /** Its context, shown in a muted colour. */
  detail?: string
  icon: ReactNode
  shortcut?: string
  search: Searchable
  run: () => void
  /** Opens it as a window, if it supports that. */
  runInWindow?: () => void
  /** A record, whose detail has its own line. */
  isThing?: boolean
  /** The state of the record, at the end of the row. */
  state?: ReactNode
  /** Further actions of the entry, which the right arrow opens. */
  actions?: readonly EntryAction[]
  /** True for an action that creates a record. A search with a word of creation puts it first. */
  isCreation?: boolean
  /** A part of another entry, shown only in a search. */
  isPart?: boolean
  /** True for matches of the server's search, which are shown even if the label does not match. */
  isFound?: boolean
}

/** An action of an entry. */
export interface EntryAction {
  id: string
  label: string
  icon: ReactNode
  run: () => void
}

/** An entry with its matched ranges. */
export interface Found {
  entry: Entry
  ranges: readonly Range[]
}

/** Suggestions for a search without matches: actions of apps, then the most common ones of the console. */
export const insteadOf = (entries: readonly Entry[]): readonly Found[] =>
  entries
    .filter(({ id }) => /^(?:job |create |console shortcuts)/.test(id))
    .slice(0, 3)
    .map(unmarked)

/** Kinds of entries that the user can choose. */
export const kinds = ['everything', 'things', 'jobs', 'people'] as const
export type Kind = (typeof kinds)[number]

const groupsOf: Record<Kind, readonly Group[]> = {
  everything: groups,
  things: ['edges', 'records', 'fromApps'],
  jobs: ['actions'],
  people: ['people'],
}

export const isOfKind = ({ group }: Entry, kind: Kind): boolean => groupsOf[kind].includes(group)

export interface Section {
  group: Group | 'recent' | 'instead'
  found: readonly Found[]
}

const perGroup = 8
const recentShown = 5
/** Bonus of the latest choice. Earlier choices get less. */
const recentBonus = 24
/** "new note" means the action, even if a note has this name. */
const creationBonus = 200

/**
 * Returns the shown sections: without a query the recent choices and then all entries, else the matches, best first.
 */
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
/** The score of a server match in a field that the palette does not show. */
const foundElsewhere: Match = { score: 20, ranges: [] }

function find(
  entries: readonly Entry[],
  query: ReturnType<typeof parseQuery>,
  recent: readonly string[],
): Section[] {
  const places = new Map(recent.map((id, index) => [id, index]))
  const creation = fold(inBoth(texts.words, 'create')).split(' ')
  const isCreation = query.terms.some((term) => creation.includes(term))
  const byGroup = new Map<Group, (Found & { score: number })[]>()
  for (const entry of entries) {
    const matched = match(query, entry.search) ?? (entry.isFound === true ? foundElsewhere : null)
    if (matched === null) continue
    const place = places.get(entry.id)
    const score =
      matched.score +
      (place === undefined ? 0 : recentBonus / (place + 1)) +
      (isCreation && entry.isCreation === true ? creationBonus : 0)
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
