import './compile-cache.ts'

const { serve } = await import('./serve.ts')
await serve(process.env)
