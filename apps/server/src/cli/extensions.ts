import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { ExtensionVersion, InstalledExtension } from '@pult/contract'
import { pult } from '#platform/program-name.ts'
import { createEvents } from '#platform/realtime/events.ts'
import { createAuditService } from '../audit/audit.service.ts'
import { createExtensionService, type ExtensionService } from '../extensions/extension.service.ts'
import { createProductRegistry } from '../extensions/manifests/product-registry.ts'
import { announceAccess } from '../projects/announcements.ts'
import type { Command, Print } from './command.ts'
import { type Installation, withNewInstallation } from './installation.ts'

const help = `Installs, enables and removes extensions on this node. A server may be running.

  ${pult('extensions list')}
  ${pult('extensions install FILE_OR_FOLDER')}
  ${pult('extensions enable ID[@VERSION] [--yes]')}
  ${pult('extensions disable ID')}
  ${pult('extensions remove ID[@VERSION]')}

  install  checks and installs a .tgz archive or a built folder. It does not run until it is enabled
  enable   runs the newest version that can run, or the given one. Shows what its roles give and what else changes.
           A version whose roles give more than before needs --yes
  disable  removes its apps for all users. Its products and grants remain
  remove   deletes the given version, or all installed ones. Disable a running version first

An extension is fully trusted code: in the browser it can do everything that the signed-in user can do.`

const trusted =
  'An extension is fully trusted code: in the browser it can do everything that the signed-in user can do.'

interface Order {
  operand: string
  print: Print
  /** The operator allows what the roles of the version give. */
  allowsRoles: boolean
}

type Verb = (extensions: ExtensionService, order: Order) => Promise<void>

const verbs: Record<string, { operand: string | null; perform: Verb }> = {
  list: { operand: null, perform: list },
  install: { operand: 'the archive or folder', perform: install },
  enable: { operand: 'the extension', perform: enable },
  disable: { operand: 'the extension', perform: disable },
  remove: { operand: 'the extension', perform: remove },
}

async function list(extensions: ExtensionService, { print }: Order): Promise<void> {
  for (const { id, label, isEnabled, problem, versions } of await extensions.list()) {
    print(`${id}  ${label}${isEnabled ? '' : '  (off)'}${problem === null ? '' : `  ! ${problem}`}`)
    for (const { version, source, isRunning, problem: fault } of versions) {
      const words = [version === '' ? '?' : version, source, ...(isRunning ? ['runs'] : [])].join('  ')
      print(`  ${words}${fault === null ? '' : `  ! ${fault}`}`)
    }
  }
}

async function install(extensions: ExtensionService, { operand: path, print }: Order): Promise<void> {
  const info = await stat(path).catch(() => undefined)
  if (info === undefined) throw new Error(`there is no ${path}`)
  const source = info.isDirectory() ? { folder: resolve(path) } : { archive: createReadStream(path) }
  const { id, versions } = await extensions.install(source, null)
  print(`${id} is installed: ${versions.map(({ version }) => version).join(', ')}`)
  if (versions.some(isBundled)) print(replacesBundled(id))
  print(trusted)
  print(`To run it, enable it: ${pult(`extensions enable ${id}`)}`)
}

async function enable(extensions: ExtensionService, { operand, print, allowsRoles }: Order): Promise<void> {
  const { record, version: asked } = await named(extensions, operand)
  const version = asked ?? record.versions.find(({ problem }) => problem === null)
  for (const line of version === undefined ? [] : rightsOf(version)) print(line)
  if (version?.needsConsent === true && !allowsRoles)
    throw new Error(
      `the roles of ${record.id} ${version.version} give more than was allowed before. Check the lines with +, and add --yes to allow them`,
    )
  await extensions.enable(record.id, { digest: version?.digest, allowsRoles }, null)
  const { record: now } = await named(extensions, record.id)
  const running = now.versions.find(({ isRunning }) => isRunning)
  print(`${record.id} ${running?.version ?? ''} is enabled`)
  if (running && isInstalled(running) && now.versions.some(isBundled))
    print(`It replaces the bundled ${record.id}.`)
  print(trusted)
}

/** Returns a line for each role and each difference of a version: `role reporting/reader: reports, + edges:manage`. */
function rightsOf({ roles, added, removed }: ExtensionVersion): string[] {
  const ofRoles = roles.map(({ id, roles: entries, foreign, added: more, removed: less }) => {
    const given = entries.map(
      (entry) =>
        `${more.includes(entry) ? '+ ' : ''}${entry}${foreign.includes(entry) ? ' (of another extension)' : ''}`,
    )
    return `role ${id}: ${[...given, ...less.map((entry) => `- ${entry}`)].join(', ') || 'nothing'}`
  })
  const ofParts = (sign: string, parts: ExtensionVersion['added']) =>
    Object.entries(parts).flatMap(([kind, ids]) =>
      ids.length === 0 ? [] : [`${sign} ${kind}: ${ids.join(', ')}`],
    )
  return [...ofRoles, ...ofParts('+', added), ...ofParts('-', removed)]
}

async function disable(extensions: ExtensionService, { operand: id, print }: Order): Promise<void> {
  const { record } = await named(extensions, id)
  await extensions.disable(record.id, null)
  print(`${record.id} is disabled`)
}

async function remove(extensions: ExtensionService, { operand, print }: Order): Promise<void> {
  const { record, version } = await named(extensions, operand)
  const removed = version === undefined ? record.versions.filter(isInstalled) : [version]
  if (removed.length === 0) throw new Error(`${record.id} is bundled with the product and cannot be removed`)
  const running = removed.find(({ isRunning }) => isRunning)
  if (running !== undefined)
    throw new Error(`${record.id} ${running.version} runs. Enable another version or disable it first`)
  for (const { digest, version: number } of removed) {
    await extensions.removeVersion(record.id, digest, null)
    print(`${record.id} ${number} is removed`)
  }
}

const isBundled = ({ source }: ExtensionVersion) => source === 'bundled'

/** Anyone can publish an extension with the id of a bundled one. */
const replacesBundled = (id: string) =>
  `Warning: ${id} is the id of a bundled extension. Once enabled, this version replaces it for all users.`

const isInstalled = ({ source }: ExtensionVersion) => source === 'installed'

async function named(
  extensions: ExtensionService,
  operand: string,
): Promise<{ record: InstalledExtension; version: ExtensionVersion | undefined }> {
  const all = await extensions.list()
  // The folder of an unreadable extension, whose name may contain an @, is used as its id.
  const whole = all.find((extension) => extension.id === operand)
  if (whole !== undefined) return { record: whole, version: undefined }
  const [id, number] = operand.split('@')
  const record = all.find((extension) => extension.id === id)
  if (record === undefined) throw new Error(`there is no extension ${id ?? operand}`)
  const version = record.versions.find((one) => one.version === number)
  if (version === undefined) throw new Error(`there is no version ${number} of ${record.id}`)
  return { record, version }
}

export async function withExtensions<Result>(
  { database: { db }, connection, log, dataFolder, extensionsFolder, consoleFolder, update }: Installation,
  work: (extensions: ExtensionService) => Promise<Result>,
): Promise<Result> {
  await update()
  const events = createEvents({ db, connection, log })
  try {
    const installed = join(dataFolder, 'extensions')
    const folders = { bundled: extensionsFolder, installed, console: consoleFolder }
    const audit = createAuditService(db)
    const products = createProductRegistry()
    return await work(createExtensionService({ db, events, audit, products, folders, announceAccess, log }))
  } finally {
    await events.stop()
  }
}

export const extensionsCommand: Command = {
  name: 'extensions',
  summary: 'lists, installs, enables, disables and removes extensions',
  help,
  read(args) {
    const { positionals, values } = parseArgs({
      args,
      options: { yes: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const [name = '', operand, ...others] = positionals
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
    if (verb === undefined)
      throw new Error(
        name === '' ? 'the subcommand is missing' : `there is no subcommand ${JSON.stringify(name)}`,
      )
    if (verb.operand !== null && operand === undefined) throw new Error(`${verb.operand} is missing`)
    if (values.yes && name !== 'enable') throw new Error('--yes belongs to enable')
    const surplus = verb.operand === null ? operand : others[0]
    if (surplus !== undefined) throw new Error(`unexpected argument ${JSON.stringify(surplus)}`)

    return ({ environment, print }) =>
      withNewInstallation(environment, (installation) =>
        withExtensions(installation, (extensions) =>
          verb.perform(extensions, { operand: operand ?? '', print, allowsRoles: values.yes }),
        ),
      )
  },
}
