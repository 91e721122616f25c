import { enableCompileCache } from 'node:module'

// Before anything else is imported, so that the next start reads compiled code instead of compiling it.
enableCompileCache()
const { serve } = await import('./serve.ts')
await serve(process.env)
