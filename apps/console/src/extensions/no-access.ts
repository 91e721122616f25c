import { notify } from '#platform/notify.ts'
import { texts } from './extensions.texts.ts'
import { apps, findApp } from './registry.ts'

/** Reports that the user may not open an app in a window. The message does not reveal whether it exists. */
export function reportNoAccess(appId: string, isOfProject: boolean): void {
  notify.warning(texts.noAccess, texts.noAccessText(appName(appId), isOfProject))
}

/** The console knows the labels of accessible apps only. Other apps are named after their id. */
export function appName(appId: string): string {
  const words = appId.replaceAll('-', ' ')
  return findApp(apps.get(), appId)?.manifest.label ?? words.charAt(0).toUpperCase() + words.slice(1)
}
