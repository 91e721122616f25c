import type { ExtensionManifest } from '@pult/contract'
import type { Rolldown } from 'vite'

type Modules = Pick<Rolldown.PluginContext, 'getModuleInfo'>

/** Matches only `loader: () => import('./app.ts')`, because a loader with `.then()` may return any module. */
const appLoader = /\bloader\s*:\s*(?:async\s*)?\(\s*\)\s*=>\s*import\(\s*(['"])(.+?)\1\s*\)(?!\s*\.)/g

const withoutEnding = (path: string) => path.replace(/(?:\/index)?\.\w+$/, '')

/**
 * Returns the modules that the console could not use: an entry without a default export, and modules of apps without a
 * default export that a loader of the entry imports.
 */
export function modulesWithoutDefault(modules: Modules, entryId: string): string[] {
  const entry = modules.getModuleInfo(entryId)
  if (entry === null) return []
  if (!entry.exports.includes('default'))
    return [`${entryId} has no default export: export default defineExtension({ … })`]
  const loaded = [...(entry.code ?? '').matchAll(appLoader)].map(([, , name = '']) =>
    withoutEnding(name.replace(/^(?:\.\.?\/)+/, '/')),
  )
  return entry.dynamicallyImportedIds
    .filter((id) => loaded.some((name) => withoutEnding(id).endsWith(name)))
    .filter((id) => modules.getModuleInfo(id)?.exports.includes('default') === false)
    .map((id) => `${id} has no default export: export default defineApp({ … })`)
}

/** Returns the tabs of the manifest that the built code never mentions, so that no route can have their path. */
export function tabsWithoutRoute({ apps }: ExtensionManifest, code: string): string[] {
  return apps.flatMap(({ id, tabs = [] }) =>
    tabs
      .filter((tab) => !new RegExp(`['"\`]${tab.id}(?:/[^'"\`]*)?['"\`]`).test(code))
      .map((tab) => `apps ${id}: no route of the app has the path of the tab ${tab.id}`),
  )
}
