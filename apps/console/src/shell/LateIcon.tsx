import { useEffect, useState } from 'react'
import { lateModule } from '#platform/late-module.ts'
import type { App } from '../extensions/registry.ts'

// The icons of all apps are large, so they are not part of the frame.
const icons = lateModule(() => import('../extensions/AppIcon.tsx'))

/** The icon of an app, once the icons have loaded. */
export function LateIcon({ app }: { app: App }) {
  const [isLoaded, setLoaded] = useState(icons.isLoaded)
  useEffect(() => {
    if (!isLoaded) icons.load().then(() => setLoaded(true), reportError)
  }, [isLoaded])
  if (!isLoaded) return null
  const { AppIcon } = icons.get()
  return <AppIcon app={app} />
}
