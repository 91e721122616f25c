import type { Language } from '#platform/language.ts'

/**
 * Returns a part of a manifest with its labels and descriptions in the language, if the manifest has them. An English
 * label that is not shown stays in `labels`, because users also search for it.
 */
export function inLanguage<Part>(part: Part, language: Language): Part {
  if (Array.isArray(part)) return part.map((each: unknown) => inLanguage(each, language)) as Part
  if (typeof part !== 'object' || part === null) return part
  const { labels, descriptions, ...rest } = part as Record<string, unknown>
  const own = { label: wordIn(labels, language), description: wordIn(descriptions, language) }
  const shown = Object.entries(rest).map(([key, value]) => [
    key,
    (key === 'label' || key === 'description' ? own[key] : undefined) ?? inLanguage(value, language),
  ])
  const en = wordIn(labels, 'en') ?? rest['label']
  if (labels !== undefined && en !== (own.label ?? rest['label'])) shown.push(['labels', { en }])
  return Object.fromEntries(shown) as Part
}

const wordIn = (words: unknown, language: Language): string | undefined =>
  typeof words === 'object' && words !== null
    ? (words as Partial<Record<Language, string>>)[language]
    : undefined
