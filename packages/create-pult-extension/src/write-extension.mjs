import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const template = fileURLToPath(new URL('../template', import.meta.url))

/** Names in the template, which is a complete extension itself. */
const named = {
  id: 'my-extension',
  label: 'My extension',
  description: 'Describe the extension in one sentence.',
}

/** npm does not publish files named .gitignore. */
const renamed = { gitignore: '.gitignore' }

/**
 * Writes a new extension from the template, with the given names and new ids.
 *
 * @param {import('./questions.mjs').Wishes} wishes
 */
export async function writeExtension({ folder, sdk, ...wishes }) {
  for (const path of await filesOf(template)) {
    const text = await readFile(join(template, path), 'utf8')
    await write(join(folder, renamed[path] ?? path), contentOf(path, text, wishes))
  }
  if (sdk !== undefined) await copySdk(folder, sdk)
}

async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .filter((path) => !/^(?:node_modules|dist)[\\/]/.test(path))
}

function contentOf(path, text, wishes) {
  if (path === 'manifest.json') return json(manifestOf(JSON.parse(text), wishes))
  if (path === 'package.json') return text.replaceAll(named.id, wishes.id)
  if (path === 'LICENSE')
    return text.replace(/\(c\) .*/, () => `(c) ${new Date().getFullYear()} ${wishes.author}`)
  return text
    .replaceAll(named.id, () => wishes.id)
    .replaceAll(named.label, () => wishes.label)
    .replaceAll(named.description, () => wishes.description)
}

function manifestOf(manifest, { id, label, description }) {
  const renamedRole = (role) => role.replace(named.id, id)
  return {
    ...manifest,
    id,
    label,
    description,
    products: manifest.products.map((product) => ({
      ...product,
      sku: id,
      label,
      roles: product.roles.map((role) => ({ ...role, roles: role.roles.map(renamedRole) })),
    })),
    apps: manifest.apps.map((app) => ({
      ...app,
      id,
      uuid: randomUUID(),
      label,
      productSku: id,
      role: renamedRole(app.role),
    })),
  }
}

/** Copies the packed SDK into the folder, so that the extension works wherever it is moved. */
async function copySdk(folder, sdk) {
  const path = `vendor/${basename(sdk)}`
  await mkdir(join(folder, 'vendor'), { recursive: true })
  await copyFile(sdk, join(folder, path))
  const file = join(folder, 'package.json')
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  manifest.devDependencies['@pult/sdk'] = `file:${path}`
  await writeFile(file, json(manifest))
}

async function write(path, text) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text, { flag: 'wx' })
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`
