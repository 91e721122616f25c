import type { Plugin } from 'vite'

/** The module of Vite's through which each `import()` of a build goes. */
const helper = '\0vite/preload-helper.js'

/**
 * Has files that are imported later fetched first, and only imports what has arrived: many browsers remember for as long
 * as the page lives that a module could not be fetched (https://github.com/whatwg/html/issues/6768), so that no second
 * try would help. What has arrived is taken from the browser's cache, where files with a digest in their name stay.
 */
export function fetchBeforeImport(): Plugin {
  return {
    name: 'fetch-before-import',
    enforce: 'pre',
    apply: 'build',
    load: { order: 'pre', handler: (id) => (id === helper ? code : null) },
  }
}

const code = `
const arriving = new Map()

export const __vitePreload = async (load, files = []) => {
  await Promise.all(files.map((file) => arrive('/' + file)))
  return load()
}

function arrive(href) {
  const known = arriving.get(href)
  if (known !== undefined) return known
  const coming = href.endsWith('.css') ? style(href) : script(href)
  arriving.set(href, coming)
  coming.catch(() => arriving.delete(href))
  return coming
}

async function script(href) {
  // The document has it, or has it fetched ahead.
  if (document.querySelector('script[src="' + href + '"], link[href="' + href + '"]')) return
  const answer = await fetch(href)
  if (!answer.ok) throw new TypeError('Failed to fetch ' + href)
  await answer.arrayBuffer()
}

function style(href) {
  if (document.querySelector('link[rel=stylesheet][href="' + href + '"]')) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', crossOrigin: '', href })
    link.addEventListener('load', resolve)
    link.addEventListener('error', () => {
      link.remove()
      reject(new TypeError('Failed to fetch ' + href))
    })
    document.head.append(link)
  })
}
`
