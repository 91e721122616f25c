import type { Plugin } from 'vite'

/** Vite's module that wraps each `import()` of a build. */
const helper = '\0vite/preload-helper.js'

/**
 * Fetches lazily loaded files before it imports them. Many browsers cache a failed module fetch for the lifetime of
 * the page (https://github.com/whatwg/html/issues/6768), so a second import would fail as well. The import then reads
 * the file from the HTTP cache, where files with a digest in their name stay.
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
  // The document contains or preloads it.
  if (document.querySelector('script[src="' + href + '"], link[href="' + href + '"]')) return
  // A proxy that requests a sign-in redirects, or answers with a page.
  const answer = await fetch(href, { redirect: 'manual' }).catch((cause) => {
    throw notFetched(href, cause)
  })
  if (!answer.ok || /html/.test(answer.headers.get('content-type'))) throw notFetched(href)
  await answer.arrayBuffer()
}

/** src/platform/failed-load.ts recognises the error by its name. */
const notFetched = (href, cause) =>
  Object.assign(new Error('Failed to fetch ' + href, { cause }), { name: 'NotFetched' })

function style(href) {
  if (document.querySelector('link[rel=stylesheet][href="' + href + '"]')) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', crossOrigin: '', href })
    link.addEventListener('load', resolve)
    link.addEventListener('error', () => {
      link.remove()
      reject(notFetched(href))
    })
    document.head.append(link)
  })
}
`
