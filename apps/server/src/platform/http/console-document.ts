import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Which scripts there are beside the console's own: their paths, and the digests without which none of them runs. */
export type ScriptIntegrity = Readonly<Record<string, string>>

export interface ConsoleDocument {
  /** The document as it travels, by content coding. */
  bodies: { identity: Buffer; gzip: Buffer; br: Buffer }
  /** Of the import map, for the Content-Security-Policy. */
  scriptHash: string
}

/** Where the build leaves room for the map: before the first module, after which browsers ignore it. */
const marker = '<!-- import map -->'

/**
 * Makes the console's document with its import map: under which names extensions find the modules that they share with
 * the console, and the digest of every script. The map changes with each extension, and its hash stands in the header,
 * so both are made together; a document is made anew only when the scripts are others.
 */
export async function createConsoleDocuments(folder: string) {
  const html = await readFile(join(folder, 'index.html'), 'utf8').catch(() => {
    throw new Error(
      `The console is not built: there is no index.html in ${folder}. Run npm start, or npm run build`,
    )
  })
  const own = JSON.parse(await readFile(join(folder, 'import-map.json'), 'utf8')) as {
    imports: Record<string, string>
    integrity: Record<string, string>
  }
  let made: { scripts: ScriptIntegrity; document: Promise<ConsoleDocument> } | undefined

  async function make(scripts: ScriptIntegrity): Promise<ConsoleDocument> {
    const map = JSON.stringify({ imports: own.imports, integrity: { ...own.integrity, ...scripts } })
    const text = html.replace(marker, `<script type="importmap">${map}</script>`)
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      promisify(gzip)(text),
    ])
    const scriptHash = `'sha256-${createHash('sha256').update(map).digest('base64')}'`
    return { bodies: { identity: Buffer.from(text), gzip: gz, br }, scriptHash }
  }

  return (scripts: ScriptIntegrity): Promise<ConsoleDocument> => {
    if (made?.scripts !== scripts) made = { scripts, document: make(scripts) }
    return made.document
  }
}
