import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ExtensionPackage,
  integrityOf,
  readPackage,
} from '../apps/server/src/extensions/packages/extension-package.ts'
import { root } from './installation.ts'

/** The product that all of them belong to. */
export const smallSku = 'small'

/** The one to copy, as it was built. */
export const helloFolder = join(root, 'dist/extensions/hello')

/** Writes copies of `hello` under names of their own, as an operator would drop them into the data folder. */
export async function writeSmallExtensions(folder: string, count: number): Promise<ExtensionPackage[]> {
  const names = Array.from({ length: count }, (_, index) => `small-${index + 1}`)
  return Promise.all(names.map((name, index) => writeCopy(join(folder, name), name, index === 0)))
}

async function writeCopy(folder: string, name: string, isFirst: boolean): Promise<ExtensionPackage> {
  await mkdir(folder, { recursive: true })
  const source = JSON.parse(await readFile(join(helloFolder, 'manifest.json'), 'utf8')) as {
    apps: object[]
  }
  const files: Record<string, string> = {}
  for (const file of (await readdir(helloFolder)).filter((each) => each.endsWith('.js'))) {
    // Its name is the app's id and begins the names of its routes.
    const code = Buffer.from((await readFile(join(helloFolder, file), 'utf8')).replaceAll('hello', name))
    files[file] = integrityOf(code)
    await writeFile(join(folder, file), code)
  }
  const own = { id: name, label: name, uuid: randomUUID(), productSku: smallSku }
  const products = isFirst ? [{ sku: smallSku, label: 'Small', roles: [] }] : []
  const manifest = {
    ...source,
    id: name,
    label: name,
    products,
    apps: [{ ...source.apps[0], ...own }],
    files,
  }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
  return packageIn(folder)
}

export async function packageIn(folder: string): Promise<ExtensionPackage> {
  const found = await readPackage(folder)
  if (found === undefined) throw new Error(`There is no extension in ${folder}`)
  return found
}
