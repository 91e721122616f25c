import { chromium } from '@playwright/test'
import type { TestProject } from 'vitest/node'
import { chromiumFlags, findBrowser } from '../../../tools/browser.ts'

/** Starts one Chromium for each worker. All files of all projects connect to these. */
export default async function setup({ vitest, config }: TestProject) {
  if (vitest.getProvidedContext().browsers !== undefined) return
  const executablePath = await findBrowser()
  const servers = await Promise.all(
    Array.from({ length: config.maxWorkers }, () =>
      chromium.launchServer({ executablePath, args: chromiumFlags, host: '127.0.0.1' }),
    ),
  )
  vitest.provide(
    'browsers',
    servers.map((server) => server.wsEndpoint()),
  )
  return () => Promise.all(servers.map((server) => server.close()))
}
