import type { ExtensionManifest } from '@pult/contract'
import type { AppRegistration, Extension } from '../src/define-extension.ts'
import { inTime } from './in-time.ts'

type AppManifest = ExtensionManifest['apps'][number]
type Loaded = Readonly<Record<string, unknown>> | undefined
type Load = (() => Promise<{ default?: Loaded }>) | undefined

/**
 * Runs the entry and loads all modules of its apps. Returns the problems that a console would have, one line each.
 *
 * @param patience Time limit for each module in milliseconds. Only tests set it.
 */
export async function problemsOfEntry(
  { apps }: Pick<ExtensionManifest, 'apps'>,
  entry: unknown,
  patience?: number,
): Promise<string[]> {
  const { register } = (entry ?? {}) as Partial<Extension>
  if (typeof register !== 'function')
    return ['src/extension.ts: has no default export: export default defineExtension({ … })']
  const registered = new Map<string, AppRegistration>()
  try {
    register({ registerApp: (app) => void registered.set(app.id, app), registerAction: () => {} })
  } catch (error) {
    return [`register throws: ${messageOf(error)}`]
  }
  const unknown = [...registered.keys()].filter((id) => apps.every((app) => app.id !== id))
  const problems = await Promise.all(apps.map((app) => problemsOfApp(app, registered.get(app.id), patience)))
  return [...unknown.map((id) => `registerApp: the manifest has no app ${id}`), ...problems.flat()]
}

async function problemsOfApp(
  app: AppManifest,
  registration: AppRegistration | undefined,
  patience: number | undefined,
): Promise<string[]> {
  if (registration === undefined) return [`apps ${app.id}: the entry does not register it`]
  const isFunction = (what: Loaded) => typeof what === 'function'
  const parts: { place: string; load: unknown; isRight: (what: Loaded) => boolean; make: string }[] = [
    {
      place: '',
      load: registration.loader,
      isRight: (what) => Array.isArray(what?.['routes']) && what['routes'].length > 0,
      make: 'defineApp({ routes: [ … ] })',
    },
    ...(app.cards ?? []).map(({ id }) => ({
      place: ` card ${id}`,
      load: registration.cards?.[id],
      isRight: (what: Loaded) => typeof what?.['read'] === 'function' && what['Component'] !== undefined,
      make: 'defineCard({ read, Component })',
    })),
    ...(app.pageTabs ?? []).map(({ id }) => ({
      place: ` page tab ${id}`,
      load: registration.pageTabs?.[id],
      isRight: (what: Loaded) => what?.['Component'] !== undefined,
      make: 'definePageTab({ Component })',
    })),
    ...(app.navigation === undefined
      ? []
      : [
          {
            place: ' navigation',
            load: registration.navigation,
            isRight: (what: Loaded) => typeof what?.['read'] === 'function',
            make: 'defineNavigation({ read })',
          },
        ]),
    ...(app.search ?? []).map(({ id }) => ({
      place: ` search ${id}`,
      load: registration.search?.[id],
      isRight: isFunction,
      make: 'defineSearch(async (text, context) => …)',
    })),
    ...(app.actions ?? []).map(({ id }) => ({
      place: ` action ${id}`,
      load: registration.actions?.[id],
      isRight: isFunction,
      make: 'defineAction((context) => …)',
    })),
  ]
  const problems = await Promise.all(
    parts.map(async ({ place, load, isRight, make }) => {
      const where = `apps ${app.id}${place}`
      if (typeof load !== 'function') return [`${where}: registerApp received no loader for it`]
      try {
        const { default: what } = await inTime((load as NonNullable<Load>)(), patience)
        if (!isRight(what)) return [`${where}: its module has no default export: export default ${make}`]
        return place === '' ? tabsWithoutPage(app, what) : []
      } catch (error) {
        return [`${where}: its module cannot be loaded: ${messageOf(error)}`]
      }
    }),
  )
  return [...problems.flat(), ...undeclared(app, registration)]
}

function tabsWithoutPage({ id, tabs = [] }: AppManifest, app: Loaded): string[] {
  const routes = (app?.['routes'] ?? []) as readonly { path?: unknown }[]
  const paths = new Set(routes.map(({ path }) => String(path).split('/')[0]))
  return tabs
    .filter((tab) => !paths.has(tab.id))
    .map((tab) => `apps ${id}: no route of the app has the path of the tab ${tab.id}`)
}

/** Returns registered parts that the console never shows, because the manifest does not declare them. */
function undeclared(app: AppManifest, registration: AppRegistration): string[] {
  return (['cards', 'search', 'actions', 'pageTabs'] as const).flatMap((kind) =>
    Object.keys(registration[kind] ?? {})
      .filter((id) => app[kind]?.some((declared) => declared.id === id) !== true)
      .map((id) => `apps ${app.id}: the manifest declares no ${id} among its ${kind}`),
  )
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
