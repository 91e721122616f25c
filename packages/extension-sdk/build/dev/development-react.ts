import { developmentReactPath } from './places.ts'

/*
 * Fast Refresh needs React's development build, but a console contains the production build. The console's React chunk
 * is therefore replaced by a module with the same exports that uses the author's React. Console and extension then
 * share that single copy.
 */

/** The file of a console's build that contains React. */
export interface ReactChunk {
  path: string
  /** The names of its exports, which the bundler generates. */
  exports: string[]
}

/**
 * Finds the chunk from which the console's shared module `react` imports React. Throws if there is none.
 *
 * @param shared Path of that module.
 * @param read Reads a file of the console.
 */
export async function findReactChunk(
  shared: string,
  read: (path: string) => Promise<string>,
): Promise<ReactChunk> {
  for (const [, relative = ''] of (await read(shared)).matchAll(/from\s*["'](\.[^"']+)["']/g)) {
    const path = new URL(relative, `http://console${shared}`).pathname
    const code = await read(path)
    if (code.includes('react.transitional.element')) return { path, exports: exportsOf(code) }
  }
  throw new Error(
    'This console has no React where this version of @pult/sdk expects it. Use the same version.',
  )
}

/** Returns the export names of a chunk. A bundler writes one list of exports, at the end. */
function exportsOf(code: string): string[] {
  const list = /export\s*\{([^}]*)\}\s*;?\s*(?:\/\/#.*\s*)?$/.exec(code)?.[1] ?? ''
  return list.split(',').map((item) => item.replace(/^.*\sas\s/s, '').trim())
}

/** Returns the replacement of the console's chunk. It loads the original chunk to identify each export. */
export function reactChunkModule({ path, exports }: ReactChunk): string {
  return [
    `import * as production from ${JSON.stringify(`${path}?production`)}`,
    `import { developmentOf } from ${JSON.stringify(developmentReactPath)}`,
    ...exports.map((name, index) => `const export${index} = developmentOf(production.${name})`),
    `export { ${exports.map((name, index) => `export${index} as ${name}`).join(', ')} }`,
  ].join('\n')
}

/** Returns whether the request is for the console's original chunk. */
export const wantsProduction = (search: string): boolean => search === '?production'

/**
 * Returns the source of the module with the author's React. Each export of the console's chunk is a function that
 * returns the exports of a CommonJS module. Their names identify the module.
 *
 * @param hasFastRefresh Set if React's Vite plugin is in use. Its preamble must load before React.
 */
export const developmentReactModule = (hasFastRefresh: boolean): string => `
${hasFastRefresh ? "import '@vitejs/plugin-react/preamble'" : ''}
import react from 'react'
import jsxRuntime from 'react/jsx-runtime'
import reactDom from 'react-dom'
import reactDomClient from 'react-dom/client'

const modules = { useState: react, jsx: jsxRuntime, createPortal: reactDom, createRoot: reactDomClient }

export function developmentOf(load) {
  const production = typeof load === 'function' ? load() : undefined
  const name = Object.keys(modules).find((name) => production?.[name] !== undefined)
  return name === undefined ? load : () => modules[name]
}
`
