import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'vite'

/** Builds the floor's page with Vite's defaults into the folder and writes a `.br` beside each file. */
export async function buildFloorPage(folder: string): Promise<void> {
  await build({
    root: join(import.meta.dirname, 'page'),
    configFile: false,
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true, modulePreload: { polyfill: false }, target: 'es2022' },
  })
  for (const name of await readdir(folder, { recursive: true })) {
    if (!/\.(html|js)$/.test(name)) continue
    const content = await readFile(join(folder, name))
    const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
    await writeFile(join(folder, `${name}.br`), brotliCompressSync(content, best))
  }
}
