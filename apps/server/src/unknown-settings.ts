import { fileSettingOf, secretSettings, settingNames } from './config.ts'

/** First words of names that no other program uses in Pult's environment. */
const ownWords = new Set(['PULT', 'SMTP', 'TRUSTED', 'BACKUP', 'FILES', 'UNAUTHENTICATED'])

/** Variables of Pult's own scripts and builds. */
const internal = /^PULT_(?:COMMAND|CONSOLE|SKIP_BUILD|HOST|VOLUME|BUILD_\w+|TEST_\w+|EDGE_\w+|DEMO_\w+)$/

/** Kubernetes describes a service of the name `pult` in variables such as PULT_PORT=tcp://10.0.0.1:8080. */
const ofKubernetes = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)?)$/

/** A name of fewer characters may differ by chance. */
const shortest = 7

export interface UnknownSetting {
  name: string
  /** The settings that may be meant, with commas. */
  meant: string
}

/** Returns the variables that look like misspelt settings. The server ignores such variables. */
export function findUnknownSettings(environment: Record<string, string | undefined>): UnknownSetting[] {
  const known: readonly string[] = [...settingNames, ...secretSettings.map(fileSettingOf)]
  return Object.keys(environment).flatMap((name) => {
    if (known.includes(name) || internal.test(name) || ofKubernetes.test(name)) return []
    const near = known
      .filter((each) => Math.abs(each.length - name.length) <= 2)
      .map((each) => ({ name: each, distance: distanceOf(name, each) }))
      .toSorted((a, b) => a.distance - b.distance)
    const [first] = near
    const isTypo = first !== undefined && first.distance <= 2 && name.length >= shortest
    const word = name.split('_')[0] ?? ''
    if (!isTypo && !ownWords.has(word)) return []
    const sameWord = settingNames.filter((each) => each.startsWith(`${word}_`))
    return [{ name, meant: isTypo ? first.name : sameWord.join(', ') }]
  })
}

/** Returns a line for each of them. */
export const unknownSettings = (environment: Record<string, string | undefined>): string[] =>
  findUnknownSettings(environment).map(
    ({ name, meant }) => `The setting ${name} does not exist and is ignored. Did you mean ${meant}?`,
  )

/** The number of characters to insert, delete or replace (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1]
    for (const [other, target] of [...b].entries())
      next.push(
        Math.min(
          (row[other] ?? 0) + (letter === target ? 0 : 1),
          (row[other + 1] ?? 0) + 1,
          (next[other] ?? 0) + 1,
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
