import './needed-node.mjs'
import './thread-pool.mjs'
import './compile-cache.mjs'

const { serve } = await import('./serve.ts')
await serve(process.env)
