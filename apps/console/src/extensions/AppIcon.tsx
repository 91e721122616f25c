import { appIcon } from './app-icons.ts'
import type { App } from './registry.ts'

/** The icon of an app. */
export function AppIcon({ app }: { app: Pick<App, 'manifest'> }) {
  return appIcon(app.manifest.icon)
}
