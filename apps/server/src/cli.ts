import './compile-cache.mjs'

const { run } = await import('./cli/run.ts')
process.exitCode = await run(process.argv.slice(2), process.env)
