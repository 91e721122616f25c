/**
 * Returns the import map of a console's document. Throws if there is none: another page, or a console that is not
 * built.
 */
export function importsOf(html: string): Record<string, string> {
  const map = importMap.exec(html)?.[2]
  const { imports = {} } = JSON.parse(map ?? '{}') as { imports?: Record<string, string> }
  if (imports.react === undefined || imports.react.startsWith('/@id/'))
    throw new Error('What answers there is not a built console of Pult.')
  return imports
}

/**
 * Turns the document of a running console into a development page: sources change, so nothing has an integrity hash,
 * and Vite's client loads before the console to show errors.
 *
 * @param client Address of Vite's client.
 */
export function developmentDocument(html: string, client: string): string {
  const map = `<script type="importmap">${JSON.stringify({ imports: importsOf(html) })}</script>`
  return html
    .replace(digest, '$1')
    .replace(importMap, () => `${map}\n    <script type="module" src="${client}"></script>`)
}

const importMap = /(<script type="importmap">)(.*?)(<\/script>)/s
const digest = /(<(?:script|link)\b[^>]*?) integrity="[^"]*"/g
