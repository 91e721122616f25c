/*
 * Answers a navigation with an offline page instead of the browser's error page when the server cannot be reached. It
 * caches nothing: the document names the files of its build (DEC-46), and API responses belong to one user (RULE-74).
 */
self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver())
})

self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(answer(event))
})

async function takeOver() {
  // Earlier versions cached the console's files.
  for (const name of await caches.keys()) await caches.delete(name)
  // The browser sends the request while the worker starts.
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

/** A proxy in front of the server does not reach it. 520 to 530 are Cloudflare's. */
const fromGateway = (status) => (status >= 502 && status <= 504) || (status >= 520 && status <= 530)

async function answer({ request, preloadResponse }) {
  try {
    const response = (await preloadResponse) ?? (await fetch(request))
    return fromGateway(response.status) ? unreachable() : response
  } catch {
    return unreachable()
  }
}

function unreachable() {
  return new Response(page, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  })
}

/** Runs in the page. Reads the language and theme that the console has stored. The page also works without storage. */
function followServer() {
  const read = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const german = {
    title: 'Pult erreicht seinen Server nicht',
    text: 'Die Verbindung wird wiederholt versucht. Die Seite lädt neu, sobald der Server antwortet.',
  }
  const theme = read('pult.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme
  const locale = read('pult.locale')
  if (locale === 'de-DE') {
    document.documentElement.lang = locale
    document.querySelector('h1').textContent = german.title
    document.querySelector('p').textContent = german.text
  }
  const retry = async () => {
    // A proxy that requests a sign-in redirects or answers 401. Only a reload leads there.
    const isThere = await fetch('/api/health/live', { cache: 'no-store', redirect: 'manual' }).then(
      ({ ok, type, status }) => ok || type === 'opaqueredirect' || [401, 403, 407, 511].includes(status),
      () => false,
    )
    if (isThere) location.reload()
    else retryLater()
  }
  const retryLater = () => setTimeout(() => void retry(), 2000)
  retryLater()
  addEventListener('online', () => location.reload())
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Pult</title>
    <style>
      :root { color-scheme: light dark }
      body {
        margin: 0; min-height: 100vh; display: grid; place-content: center; justify-items: center; padding: 24px;
        box-sizing: border-box; text-align: center; font: 16px/1.5 system-ui, sans-serif;
        color: light-dark(#1a2129, #e6eaee); background: light-dark(#f4f6f8, #0e1114);
      }
      h1 { margin: 24px 0 8px; font-size: 20px }
      p { margin: 0; max-width: 40ch; color: light-dark(#4a5560, #a9b4bf) }
      svg > rect { fill: #0b5c66 }
    </style>
  </head>
  <body>
    <main>
      <svg width="40" height="40" viewBox="0 0 32 32" role="img" aria-label="Pult">
        <rect width="32" height="32" rx="8" />
        <path fill="#fff" fill-rule="evenodd" d="M7.8 25.6v-18A1.6 1.6 0 0 1 9.4 6H17a7.2 7.2 0 0 1 0 14.4h-4.4v4.2zm9.99-11.21 3.8-3.8a1.4 1.4 0 0 0-1.98-1.98l-3.8 3.8a1.4 1.4 0 0 0 1.98 1.98z" />
        <path stroke="#7ad7e1" stroke-width="2.4" stroke-linecap="round" d="m16 25.4 8.4-1.8" />
      </svg>
      <h1>Pult cannot reach its server</h1>
      <p role="status">Retrying. The page reloads when the server answers.</p>
    </main>
    <script>(${followServer.toString()})()</script>
  </body>
</html>`
