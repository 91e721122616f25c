import { appIcons, fallbackIcon } from './app-icons.ts'
import type { App } from './registry.ts'

/** The icon of an app. */
export function AppIcon({ app }: { app: Pick<App, 'manifest'> }) {
  const Icon = appIcons[app.manifest.icon] ?? fallbackIcon
  return <Icon aria-hidden="true" />
}
