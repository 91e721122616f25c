import type { ProjectFile } from '../boundaries/boundaries.ts'
import { inspectTexts, type TextRule, textRules } from './texts.ts'

const room = 'apps/console/src/planted'
const declared = (path: string, text: string): ProjectFile => ({ path, text })

/** A correct room. Each plant breaks one part of it. */
const inOrder: readonly ProjectFile[] = [
  declared(
    `${room}/planted.texts.ts`,
    "export const texts = textsOf('planted', { title: 'A', by: { a: 'A' } })",
  ),
  declared(`${room}/planted.texts.en.ts`, "export const en = { by: { a: 'B' } }"),
  declared(
    `${room}/planted.texts.de-DE.ts`,
    "export const deDE: typeof texts = { title: 'Sie', by: { a: 'A' } }",
  ),
  declared(`${room}/Planted.tsx`, 'export const Planted = (by) => <h1>{texts.title} {texts.by[by]}</h1>'),
]

export const plants: readonly { breaks: TextRule; path: string; text: string | null }[] = [
  { breaks: 'every-language', path: `${room}/planted.texts.de-DE.ts`, text: null },
  {
    breaks: 'every-language',
    path: 'packages/extension-sdk/src/ui/Planted.tsx',
    text: "const catalogues = { de: { page: 'Page' }, en: { page: 'Sheet' } }",
  },
  {
    breaks: 'overrides-only',
    path: 'packages/extension-sdk/src/ui/Planted.tsx',
    text: "const catalogues = { de: { page: 'Page' }, en: { page: 'Page' }, 'de-DE': { page: 'Seite' } }",
  },
  {
    breaks: 'overrides-only',
    path: `${room}/planted.texts.en.ts`,
    text: "export const en = { title: 'B', by: { a: 'A' } }",
  },
  { breaks: 'overrides-only', path: `${room}/planted.texts.en.ts`, text: 'export const en = {}' },
  {
    breaks: 'own-name',
    path: `${room}/planted.texts.ts`,
    text: "export const texts = textsOf('another', { title: 'A', by: { a: 'A' } })",
  },
  {
    breaks: 'same-texts',
    path: `${room}/planted.texts.de-DE.ts`,
    text: "export const deDE = { title: 'A', by: {} }",
  },
  {
    breaks: 'same-texts',
    path: `${room}/planted.texts.en.ts`,
    text: "export const en = { left: 'B' }",
  },
  { breaks: 'used', path: `${room}/Planted.tsx`, text: 'export const Planted = () => texts.title' },
  { breaks: 'used', path: `${room}/Planted.tsx`, text: 'export const Planted = (by) => texts.by[by]' },
  {
    breaks: 'in-a-catalogue',
    path: `${room}/More.tsx`,
    text: 'export const More = () => <p>Words</p>',
  },
  {
    breaks: 'in-a-catalogue',
    path: `${room}/More.tsx`,
    text: 'export const More = () => <input placeholder="Words" />',
  },
  {
    breaks: 'formal-german',
    path: `${room}/planted.texts.de-DE.ts`,
    text: "export const deDE = { title: 'Dein', by: { a: 'A' } }",
  },
]

/** Returns plants that the check misses, reports as another fault, or reports although they are correct. */
export function unnoticedPlants(): string[] {
  const calm = inspectTexts(inOrder).problems.map(({ rule }) => `it reports ${rule} in a correct room`)
  const unnoticed = plants.flatMap(({ breaks, path, text }) => {
    const others = inOrder.filter((file) => file.path !== path)
    const { problems } = inspectTexts(text === null ? others : [...others, { path, text }])
    const found = [...new Set(problems.map(({ rule }) => rule))]
    return found.join() === breaks ? [] : [`${path} breaks ${breaks}, found was: ${found.join(', ')}`]
  })
  const unplanted = textRules.filter((rule) => !plants.some(({ breaks }) => breaks === rule))
  return [...calm, ...unnoticed, ...unplanted.map((rule) => `no plant proves that ${rule} can fail`)]
}
