/*
 * Keeps the console's hashed files, which never change, beyond the browser's own cache. Everything else goes to the
 * network untouched: the API, whose answers belong to one person, and the document, which names the files of its build.
 */
const cacheName = 'pult-assets-1'
const mostFiles = 200

self.addEventListener('install', (event) => {
  self.skipWaiting()
  // Browsers that can be told look into the cache themselves: nothing waits for this worker to start.
  const routes = [
    { condition: { urlPattern: '/assets/*' }, source: { cacheName } },
    { condition: { not: { urlPattern: '/assets/*' } }, source: 'network' },
  ]
  event.addRoutes?.(routes)?.catch(() => {})
})

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver())
})

// The other browsers ask for each file.
self.addEventListener('fetch', (event) => {
  if (event.request.method === 'GET' && isAsset(event.request.url))
    event.respondWith(fromCache(event.request))
})

// Those that were told ask for none: the page says which files it has loaded.
self.addEventListener('message', (event) => {
  event.waitUntil(Promise.allSettled(event.data.keep.filter(isAsset).map(fromCache)))
})

function isAsset(url) {
  const { pathname, origin } = new URL(url)
  return origin === self.location.origin && pathname.startsWith('/assets/')
}

async function takeOver() {
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name)
  await self.clients.claim()
}

async function fromCache(request) {
  const cache = await caches.open(cacheName)
  const kept = await cache.match(request.url ?? request)
  if (kept) return kept
  const response = await fetch(request)
  if (response.ok) {
    await cache.put(request, response.clone())
    await forgetOldest(cache)
  }
  return response
}

/** The files of builds that nobody opens any more. Keys come in the order in which they were put. */
async function forgetOldest(cache) {
  const keys = await cache.keys()
  for (const key of keys.slice(0, Math.max(0, keys.length - mostFiles))) await cache.delete(key)
}
