/**
 * Returns the import map of a console's document. Throws for another page and for a console that runs from its
 * sources.
 */
export function importsOf(html: string): Record<string, string> {
  const map = importMap.exec(html)?.[2]
  const { imports = {} } = JSON.parse(map ?? '{}') as { imports?: Record<string, string> }
  if (imports.react === undefined || imports.react.startsWith('/@id/'))
    throw new Error('This address does not serve a built Pult console.')
  return imports
}

/**
 * Turns the document of a running console into a development page. Sources change, so integrity hashes are removed.
 * Vite's client loads before the console, so that it can show errors.
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
