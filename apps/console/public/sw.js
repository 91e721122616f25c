/*
 * Keeps the console's hashed files, which never change, beyond the browser's own cache. Everything else goes to the
 * network untouched: the API, whose answers belong to one person, and the document, which names the files of its build.
 */
const cacheName = 'pult-assets-1'
const mostFiles = 200

self.addEventListener('install', (event) => {
  self.skipWaiting()
  // What is not kept here need not wait for this worker to start, in browsers that can be told.
  event.addRoutes?.({ condition: { not: { urlPattern: '/assets/*' } }, source: 'network' })?.catch(() => {})
})

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver())
})

self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url)
  const isAsset = origin === self.location.origin && pathname.startsWith('/assets/')
  if (isAsset && event.request.method === 'GET') event.respondWith(fromCache(event.request))
})

async function takeOver() {
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name)
  await self.clients.claim()
}

async function fromCache(request) {
  const cache = await caches.open(cacheName)
  const kept = await cache.match(request.url)
  if (kept) return kept
  const response = await fetch(request)
  if (response.ok) {
    await cache.put(request.url, response.clone())
    await forgetOldest(cache)
  }
  return response
}

/** The files of builds that nobody opens any more. Keys come in the order in which they were put. */
async function forgetOldest(cache) {
  const keys = await cache.keys()
  for (const key of keys.slice(0, Math.max(0, keys.length - mostFiles))) await cache.delete(key)
}
