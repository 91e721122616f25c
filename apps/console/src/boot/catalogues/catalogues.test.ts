import { expect, test } from 'vitest'
import { catalogue as german } from './de-DE.ts'
import { catalogue as english } from './en.ts'

const sources = import.meta.glob<string>('../../**/*.texts{,.en,.de-DE}.ts', {
  eager: true,
  query: '?raw',
  import: 'default',
})
const rooms = Object.entries(sources).filter(([path]) => path.endsWith('.texts.ts'))
const nameOf = ([path]: readonly [string, string]) => path.replace(/^.*\/|\.texts\.ts$/g, '')
const namesOf = (found: readonly (readonly [string, string])[]) => found.map(nameOf).toSorted()
const isIn = (path: string, language: string) => path.replace(/\.ts$/, `.${language}.ts`) in sources

/** A room whose texts the catalogues replace. All other rooms contain all of their languages. */
const isReplaced = ([, source]: readonly [string, string]) =>
  /^import \{ textsOf \} from '.*locale\.ts'/m.test(source)
const replaced = rooms.filter(isReplaced)

test('the catalogues contain exactly the rooms whose texts they replace, each once', () => {
  expect(replaced.length).toBeGreaterThan(30)
  expect(new Set(namesOf(rooms)).size).toBe(rooms.length)
  expect(Object.keys(german).toSorted()).toEqual(namesOf(replaced))
  expect(Object.keys(english).toSorted()).toEqual(namesOf(replaced.filter(([path]) => isIn(path, 'en'))))
})

test('a room that the catalogues leave out loads its own languages, and no other room does', () => {
  for (const [path, source] of rooms) {
    const imported = ['en', 'de-DE'].filter((language) => source.includes(`.texts.${language}.ts'`))
    const written = ['en', 'de-DE'].filter((language) => isIn(path, language))
    expect(imported, path).toEqual(isReplaced([path, source]) ? [] : written)
  }
})
