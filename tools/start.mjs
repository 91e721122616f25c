// npm start: builds what is not built yet, then the server.
import '../apps/server/src/compile-cache.mjs'

await import('./start.ts')
await import('../apps/server/src/main.mjs')
