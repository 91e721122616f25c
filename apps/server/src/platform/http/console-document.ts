import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Language, type Sentence, textIn } from '../language.ts'

/** The scripts of extensions: their paths and their required integrity hashes. */
export type ScriptIntegrity = Readonly<Record<string, string>>

export interface ConsoleDocument {
  /** The encoded document by content coding. */
  bodies: { identity: Buffer; gzip: Buffer; br: Buffer }
  /** The hash of the import map, for the Content-Security-Policy. */
  scriptHash: string
}

/** The build's placeholder for the map: before the first module, after which browsers ignore a map. */
const marker = '<!-- import map -->'

/** The build has the text of the default catalogue. */
const description: Sentence = {
  de: 'Administration console for edge and device platforms.',
  'de-DE': 'Verwaltungskonsole für Plattformen aus Edges und Geräten.',
}

/**
 * Creates the console's document with its import map: the names of the shared modules and the hash of every script.
 * The map changes with each extension, and the header contains its hash, so both are created together and only when
 * the scripts change.
 */
export async function createConsoleDocuments(folder: string, publicUrl: string) {
  const html = await readFile(join(folder, 'index.html'), 'utf8').catch(() => {
    throw new Error(
      `The console is not built: there is no index.html in ${folder}. Run npm start, or npm run build`,
    )
  })
  const own = JSON.parse(await readFile(join(folder, 'import-map.json'), 'utf8')) as {
    imports: Record<string, string>
    integrity: Record<string, string>
  }
  // Lets the page explain why live updates or the page itself do not work at another address.
  const address = `<meta name="pult-url" content="${publicUrl}" />`
  let made: { scripts: ScriptIntegrity; documents: Map<Language, Promise<ConsoleDocument>> } | undefined

  async function make(scripts: ScriptIntegrity, language: Language): Promise<ConsoleDocument> {
    const map = JSON.stringify({ imports: own.imports, integrity: { ...own.integrity, ...scripts } })
    const text = html
      .replace(marker, `${address}<script type="importmap">${map}</script>`)
      .replace('<html lang="de">', `<html lang="${language}">`)
      .replace(description.de, textIn(description, language))
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      promisify(gzip)(text),
    ])
    const scriptHash = `'sha256-${createHash('sha256').update(map).digest('base64')}'`
    return { bodies: { identity: Buffer.from(text), gzip: gz, br }, scriptHash }
  }

  return (scripts: ScriptIntegrity, language: Language): Promise<ConsoleDocument> => {
    if (made?.scripts !== scripts) made = { scripts, documents: new Map() }
    const document = made.documents.get(language) ?? make(scripts, language)
    made.documents.set(language, document)
    return document
  }
}
