import './needed-node.mjs'
import './thread-pool.mjs'
import './compile-cache.mjs'
import './runtime-output.mjs'

const { serve } = await import('./serve.ts')
await serve(process.env)
