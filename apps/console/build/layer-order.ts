import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const styles = fileURLToPath(new URL('../../../packages/ui/src/styles.css', import.meta.url))

/**
 * Has every file of styles name the layers in their order. Browsers go by whichever file they read first, and the first
 * script puts the frame's before the one that the order stands in.
 */
export function layerOrder(): Plugin {
  let order = ''
  return {
    name: 'layer-order',
    async buildStart() {
      const [statement] = /^@layer [^;{]+;/m.exec(await readFile(styles, 'utf8')) ?? []
      if (statement === undefined) throw new Error(`${styles} does not say in which order the layers are`)
      order = statement
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue
          const source = String(file.source)
          if (source.includes('@layer')) file.source = order + source
        }
      },
    },
  }
}
