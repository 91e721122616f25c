import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ExtensionManifest, extensionManifest, parseJsonText } from '@pult/contract'
import * as z from 'zod/mini'

/** Manifest fields that only the build writes. */
const built = ['entry', 'styles', 'files'] as const

/**
 * Reads an author's `manifest.json`. Throws an error that lists the problems, one line per field.
 *
 * @param folder Folder of the manifest.
 */
export async function readAuthorManifest(folder: string): Promise<ExtensionManifest> {
  const text = await readFile(join(folder, 'manifest.json')).catch(() => {
    throw new Error(`${folder} has no manifest.json`)
  })
  const json = parse(text)
  const parsed = extensionManifest.safeParse(json, { error: z.locales.en().localeError })
  if (!parsed.success)
    throw new Error(
      faults(parsed.error.issues.map(({ path, message }) => `${z.core.toDotPath(path)}: ${message}`)),
    )
  const problems = problemsOf(parsed.data, json)
  if (problems.length > 0) throw new Error(faults(problems))
  return parsed.data
}

function parse(text: Uint8Array): object {
  try {
    return parseJsonText(text) as object
  } catch (error) {
    throw new Error(`manifest.json is not JSON: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    })
  }
}

/** Returns problems that the schema cannot express, because they concern the author's source or several fields. */
function problemsOf({ apps, products, sdk }: ExtensionManifest, source: object): string[] {
  return [
    ...built.filter((name) => name in source).map((name) => `${name}: the build writes it, so omit it`),
    ...(apps.length > 0 && sdk === undefined
      ? ['sdk: state the SDK versions that the extension supports, such as ^1.0.0']
      : []),
    ...taken(apps.map(({ id }) => id)).map((id) => `apps: the id ${id} is taken`),
    ...twice(apps.map(({ uuid }) => uuid)).map((uuid) => `apps: the uuid ${uuid} is not unique`),
    ...taken(products.map(({ sku }) => sku)).map((sku) => `products: the sku ${sku} is taken`),
  ]
}

/** `root` is reserved for the installation itself. */
const taken = (names: readonly string[]) => [...twice(names), ...names.filter((name) => name === 'root')]

const twice = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index)

const faults = (lines: string[]) =>
  ['manifest.json is invalid:', ...lines.map((line) => `  ${line}`)].join('\n')
