import { extname, join } from 'node:path'
import type { AppManifest, ExtensionManifest, Fragment, InstalledExtension } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { ScriptIntegrity } from '#platform/http/console-document.ts'
import type { Log } from '#platform/log.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../audit/audit.service.ts'
import { createExtensionRepository, type ExtensionState } from './extension.repository.ts'
import type { ProductRegistry } from './manifests/product-registry.ts'
import { contentTypes, type ExtensionPackage } from './packages/extension-package.ts'
import { type FoundExtension, findExtensions, manifestOf } from './packages/library.ts'

interface ExtensionServiceParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  products: ProductRegistry
  folders: { bundled: string; installed: string }
  log: Log
}

/** Told to every node when it has to look again at what runs. */
export const extensionTopic = 'extensions'

/** Where extensions are served from; the digest makes an address stand for the same bytes for ever. */
export const extensionBase = '/extensions'

export interface ServedFile {
  path: string
  contentType: string
}

/**
 * Which extensions there are, which of them run, and the files that they have. What comes with the product runs unless
 * it was disabled; what was put into the data folder runs once it was enabled, and only as it was then.
 */
export function createExtensionService({ db, events, audit, products, folders, log }: ExtensionServiceParts) {
  const repository = createExtensionRepository(db)
  let running: readonly ExtensionPackage[] = []
  let broken: readonly { manifest: ExtensionManifest; problem: string }[] = []
  let files: ReadonlyMap<string, ServedFile> = new Map()
  let scripts: ScriptIntegrity = {}

  async function survey() {
    const [found, states] = await Promise.all([findExtensions(folders), repository.list()])
    const byId = new Map(states.map((state) => [state.id, state]))
    return found.map((extension) => ({ extension, state: byId.get(extension.id) }))
  }

  async function reload(): Promise<void> {
    const surveyed = await survey()
    for (const { extension } of surveyed) {
      if ('problem' in extension.content)
        log.warn({ extension: extension.id, problem: extension.content.problem }, 'an extension was left out')
    }
    running = surveyed.flatMap(({ extension, state }) =>
      'package' in extension.content && runs(extension, state) ? [extension.content.package] : [],
    )
    broken = surveyed.flatMap(({ extension: { source, content }, state }) =>
      'problem' in content && content.manifest !== undefined && isWanted(source, state)
        ? [{ manifest: content.manifest, problem: content.problem }]
        : [],
    )
    products.replace(running.map(({ manifest }) => manifest))
    const served = running.flatMap(filesOf)
    files = new Map(served.map(({ url, path, contentType }) => [url, { path, contentType }]))
    scripts = Object.fromEntries(
      served.filter(({ url }) => url.endsWith('.js')).map(({ url, integrity }) => [url, integrity]),
    )
  }

  async function change(
    name: string,
    isEnabled: boolean,
    by: { actorId: string; address: string } | null,
  ): Promise<void> {
    const found = (await findExtensions(folders)).find(({ id }) => id === name)
    if (found === undefined) throw new AppError('NOT_FOUND')
    const { content } = found
    if (isEnabled && 'problem' in content)
      throw new AppError('EXTENSION_BROKEN', { message: `${name}: ${content.problem}` })
    await events.transaction(async (trx, emit) => {
      const digest = 'package' in content ? content.package.digest : null
      await createExtensionRepository(trx).set(name, isEnabled, digest)
      await audit.within(trx).record({
        event: isEnabled ? 'extension.enabled' : 'extension.disabled',
        result: 'success',
        ...by,
        target: name,
        detail: { ...('package' in content && { version: content.package.manifest.version }), digest },
      })
      await emit({ topic: extensionTopic, name: 'changed', data: {} })
    })
    await reload()
  }

  events.listen(({ topic }) => {
    if (topic === extensionTopic)
      void reload().catch((err: unknown) => log.error({ err }, 'the extensions could not be read'))
  })

  return {
    reload,
    /** The manifests of the extensions that run. */
    running: () => running.map(({ manifest }) => manifest),
    /** What the document's import map has to know of them. */
    scripts: (): ScriptIntegrity => scripts,
    /** A file by its address. */
    fileAt: (url: string): ServedFile | undefined => files.get(url),
    /** Extensions with the apps for which `isAllowed` says yes, also those that were to run and cannot; none without any. */
    fragmentsWith: (isAllowed: (app: AppManifest) => boolean): Fragment[] =>
      [...running.map(fragmentOf), ...broken.map(brokenFragmentOf)].flatMap((fragment) => {
        const apps = fragment.apps.filter(isAllowed)
        return apps.length > 0 ? [{ ...fragment, apps }] : []
      }),

    async list(): Promise<InstalledExtension[]> {
      return (await survey()).map(({ extension, state }) => recordOf(extension, state))
    },

    enable: (name: string, by: { actorId: string; address: string } | null) => change(name, true, by),
    disable: (name: string, by: { actorId: string; address: string } | null) => change(name, false, by),
  }
}
export type ExtensionService = ReturnType<typeof createExtensionService>

/** Whether it is to run, if it can. */
const isWanted = (source: FoundExtension['source'], state: ExtensionState | undefined) =>
  state?.isEnabled ?? source === 'bundled'

function runs({ source, content }: FoundExtension, state: ExtensionState | undefined): boolean {
  if ('problem' in content || !isWanted(source, state)) return false
  // The product's own files change with each release of it.
  return source === 'bundled' || state?.digest === content.package.digest
}

const addressOf = ({ manifest, digest }: ExtensionPackage, path: string) =>
  `${extensionBase}/${manifest.id}/${digest.slice(0, 16)}/${path}`

function filesOf(extension: ExtensionPackage) {
  return Object.entries(extension.manifest.files).map(([path, integrity]) => ({
    url: addressOf(extension, path),
    path: join(extension.folder, path),
    contentType: contentTypes[extname(path)] ?? 'application/octet-stream',
    integrity,
  }))
}

function fragmentOf(extension: ExtensionPackage): Fragment {
  const { id, version, label, entry = '', styles = [], sdk = '', apps, files } = extension.manifest
  const checked = Object.entries(files).filter(([path]) => /\.(?:js|css)$/.test(path))
  return {
    id,
    version,
    label,
    entry: addressOf(extension, entry),
    integrity: Object.fromEntries(
      checked.map(([path, integrity]) => [addressOf(extension, path), integrity]),
    ),
    styles: styles.map((path) => addressOf(extension, path)),
    sdk,
    apps,
  }
}

function brokenFragmentOf({ manifest, problem }: { manifest: ExtensionManifest; problem: string }): Fragment {
  const { id, version, label, sdk = '', apps } = manifest
  return { id, version, label, entry: '', integrity: {}, styles: [], sdk, apps, problem }
}

function recordOf(extension: FoundExtension, state: ExtensionState | undefined): InstalledExtension {
  const { id, source, content } = extension
  const found = 'package' in content ? content.package : undefined
  const manifest = manifestOf(content)
  const isEnabled = isWanted(source, state)
  const isRunning = runs(extension, state)
  const problem = 'problem' in content ? content.problem : null
  const isChanged = isEnabled && found !== undefined && !isRunning
  return {
    id,
    label: manifest?.label ?? id,
    version: manifest?.version ?? '',
    description: manifest?.description ?? '',
    isEnabled,
    problem: isChanged ? 'Its files are others than those that were enabled' : problem,
    apps: manifest?.apps.map((app) => ({ id: app.id, label: app.label, icon: app.icon })) ?? [],
    products: manifest?.products.map(({ sku, label }) => ({ sku, label })) ?? [],
    backend: null,
    versions: [
      {
        version: manifest?.version ?? '',
        digest: found?.digest ?? '',
        source,
        isRunning,
        problem,
        sdk: manifest?.sdk ?? null,
        size: found?.size ?? 0,
      },
    ],
    changedAt: state?.changedAt.toISOString() ?? null,
  }
}
