import type { Fragment } from '@pult/contract'
import { createStore } from '#platform/store.ts'

/** An app as its extension registered it. */
export interface App {
  id: string
  label: string
  /** Lower comes first. */
  priority?: number
}

interface Extension {
  register: (context: { registerApp: (app: App) => void }) => void
}

const defaultPriority = 1000

/** The apps that can be opened, in the order in which they are shown. */
export const apps = createStore<readonly App[]>([])

/** Loads the code of the fragments side by side. Answers their apps, and the ids of those that could not be loaded. */
export async function registerExtensions(
  fragments: readonly Fragment[],
): Promise<{ registered: App[]; broken: string[] }> {
  const registered: App[] = []
  const broken: string[] = []
  await Promise.all(
    fragments.map(async ({ id, entry }) => {
      try {
        const loaded = (await import(/* @vite-ignore */ entry)) as { default: Extension }
        loaded.default.register({ registerApp: (app) => registered.push(app) })
      } catch {
        broken.push(id)
      }
    }),
  )
  return { registered, broken }
}

/** Makes these the apps of the console. */
export function showApps(registered: readonly App[]): void {
  const priorityOf = ({ priority = defaultPriority }: App) => priority
  apps.set(registered.toSorted((a, b) => priorityOf(a) - priorityOf(b)))
}
