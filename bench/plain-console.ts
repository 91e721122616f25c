import { join } from 'node:path'
import { root } from './installation.ts'

/** Builds the console as if there were no extensions: the same settings, without the modules that they share with it. */
export async function buildPlainConsole(folder: string): Promise<void> {
  const [{ build }, { default: config }] = await Promise.all([
    import('vite'),
    import('../apps/console/vite.config.ts'),
  ])
  const all = config.plugins ?? []
  const plugins = all.filter((plugin) => !isNamed(plugin, 'shared-modules'))
  if (plugins.length !== all.length - 1)
    throw new Error('The console is built without shared modules already')
  await build({
    ...config,
    root: join(root, 'apps/console'),
    configFile: false,
    logLevel: 'warn',
    plugins,
    build: { ...config.build, outDir: folder },
  })
}

const isNamed = (plugin: unknown, name: string) =>
  typeof plugin === 'object' && plugin !== null && 'name' in plugin && plugin.name === name
