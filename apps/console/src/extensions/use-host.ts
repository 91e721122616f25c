import type { Project } from '@pult/contract'
import { type AppHost, useConsoleHost } from '@pult/sdk/host'
import { useMemo } from 'react'
import { hasRole } from './app-access.ts'
import type { AppManifest } from './registry.ts'

interface HostParts {
  manifest: AppManifest
  project: Project | null
  basePath: string
}

/** What the console gives an app: all that its own pages have, and the app's place in it. */
export function useHost({ manifest, project, basePath }: HostParts): AppHost {
  const host = useConsoleHost()
  return useMemo(
    () => ({
      ...host,
      app: manifest,
      project,
      basePath,
      hasRole: (role) => hasRole(host.credentials, project, role),
    }),
    [host, manifest, project, basePath],
  )
}
