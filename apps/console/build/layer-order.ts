import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const styles = fileURLToPath(new URL('../../../packages/ui/src/styles.css', import.meta.url))

/**
 * Declares the order of the cascade layers at the start of every style sheet. Browsers take the order from the first
 * file they parse, and the first script loads the frame's styles before the file that declares the order.
 */
export function layerOrder(): Plugin {
  let order = ''
  return {
    name: 'layer-order',
    async buildStart() {
      const [statement] = /^@layer [^;{]+;/m.exec(await readFile(styles, 'utf8')) ?? []
      if (statement === undefined)
        throw new Error(`${styles} does not declare the order of its cascade layers`)
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
