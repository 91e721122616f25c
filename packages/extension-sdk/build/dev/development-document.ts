/** The import map of a console's document. Throws when there is none: it is another page, or a console that is not built. */
export function importsOf(html: string): Record<string, string> {
  const map = importMap.exec(html)?.[2]
  const { imports = {} } = JSON.parse(map ?? '{}') as { imports?: Record<string, string> }
  if (imports.react === undefined || imports.react.startsWith('/@id/'))
    throw new Error('What answers there is not a built console of Pult.')
  return imports
}

/**
 * The document of a running console as a page that is developed in: sources change, so nothing has a digest; and Vite's
 * client is there before the console, to show what is wrong with a source.
 *
 * @param client Where Vite's client is.
 */
export function developmentDocument(html: string, client: string): string {
  const map = `<script type="importmap">${JSON.stringify({ imports: importsOf(html) })}</script>`
  return html
    .replace(digest, '$1')
    .replace(importMap, () => `${map}\n    <script type="module" src="${client}"></script>`)
}

const importMap = /(<script type="importmap">)(.*?)(<\/script>)/s
const digest = /(<(?:script|link)\b[^>]*?) integrity="[^"]*"/g
