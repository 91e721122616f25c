import { expect, test } from 'vitest'
import { match, parseQuery, searchable } from './fuzzy.ts'

const labels = [
  'Project Details',
  'Create project',
  'Projects',
  'Accounts',
  'Passkeys',
  'Appearance: Dark',
  'Über alle Berge',
]

/** The matches of a query, best first. */
function find(query: string, texts = labels): string[] {
  return texts
    .map((label) => ({ label, found: match(parseQuery(query), searchable(label)) }))
    .flatMap(({ label, found }) => (found ? [{ label, score: found.score }] : []))
    .toSorted((a, b) => b.score - a.score)
    .map(({ label }) => label)
}

const marked = (query: string, label: string) =>
  match(parseQuery(query), searchable(label))?.ranges.map(([from, to]) => label.slice(from, to))

test('the start of a label scores highest, then the start of a word, then scattered letters', () => {
  expect(find('proj')).toEqual(['Projects', 'Project Details', 'Create project'])
  expect(find('pd')).toEqual(['Project Details'])
  expect(find('ount')).toEqual(['Accounts'])
  expect(find('zzz')).toEqual([])
})

test('words match in any order, without case and accents', () => {
  expect(find('details pro')).toEqual(['Project Details'])
  expect(find('DARK')).toEqual(['Appearance: Dark'])
  expect(find('uber')).toEqual(['Über alle Berge'])
  expect(find('über berge')).toEqual(['Über alle Berge'])
})

test('the matched parts are highlighted in the original label', () => {
  expect(marked('pd', 'Project Details')).toEqual(['P', 'D'])
  expect(marked('pro det', 'Project Details')).toEqual(['Pro', 'Det'])
  expect(marked('uber', 'Über alle Berge')).toEqual(['Über'])
})

test('a label in any normal form and case is found and highlighted in its own characters', () => {
  expect(marked('STRASSE', 'Müllerstraße 4')).toEqual(['straße'])
  expect(marked('ssb', 'Größe')).toBeUndefined()
  expect(marked('muller', 'Mu\u0308llerstra\u00dfe')).toEqual(['Mu\u0308ller'])
  expect(marked('müll', 'ßMu\u0308llerstrasse')).toEqual(['Mu\u0308ll'])
  expect(marked('istan', 'Haus İstanbul')).toEqual(['İstan'])
  expect(marked('ΟΔΟΣ', 'οδος 5')).toEqual(['οδος'])
})

test('keywords also find an entry, rank below its name and highlight nothing', () => {
  const theme = searchable('Appearance: Dark', ['theme', 'night'])
  expect(match(parseQuery('night'), theme)).toMatchObject({ ranges: [] })
  const [byName, byWord] = ['dark', 'night'].map((query) => match(parseQuery(query), theme)?.score ?? 0)
  expect(byName).toBeGreaterThan(byWord ?? 0)
})

test('microsoft/PowerToys#42524 a label that is the whole query is further ahead than a recent choice', () => {
  const scoreOf = (query: string, label: string) => match(parseQuery(query), searchable(label))?.score ?? 0
  expect(scoreOf(' kran  1', 'Kran 1') - scoreOf('kran 1', 'Kran 10')).toBeGreaterThan(24)
  expect(scoreOf('straße', 'Strasse')).toBeGreaterThan(scoreOf('straße', 'Straßen') + 24)
})

test('letters scattered over a long text do not match', () => {
  expect(find('mle', ['A machine in the hall somewhere'])).toEqual([])
})

test('an entry that lacks a letter of the query is rejected faster than one that has them all', () => {
  const texts = Array.from({ length: 10_000 }, (_, index) =>
    searchable(`Machine ${index} in hall ${index % 40}`),
  )
  // Uses the fastest round, because a busy machine interrupts others.
  const fastest = (query: string) => {
    const parsed = parseQuery(query)
    const rounds = Array.from({ length: 20 }, () => {
      const begin = performance.now()
      for (const text of texts) match(parsed, text)
      return performance.now() - begin
    })
    return Math.min(...rounds)
  }
  expect(fastest('qq')).toBeLessThan(fastest('mhl'))
})
