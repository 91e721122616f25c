import { defaultsOf } from '#platform/locale.ts'

/**
 * Returns a text in the page's language and in the default one, most of which is English. Users search with the names
 * that they know from documents and from other installations.
 */
export const inBoth = <Group extends object>(group: Group, name: keyof Group & string): string =>
  [group[name], defaultsOf(group)[name]].join(' ')
