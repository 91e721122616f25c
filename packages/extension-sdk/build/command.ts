#!/usr/bin/env node
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { checkExtension } from './check.ts'
import { packExtension } from './pack.ts'

const help = `Checks and packs the extension in the current folder.

  pult-extension check
  pult-extension pack [--out FOLDER]

  check checks its manifest and types, builds it, and loads its entry and all modules of its apps
  pack  checks it and writes ID-VERSION.tgz, which a server installs
  --out folder of the archive, by default the folder of the extension`

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string', default: '.' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help === true) {
    console.log(help)
    return
  }
  const [command] = positionals
  if (positionals.length !== 1 || (command !== 'pack' && command !== 'check')) throw new Error(help)
  if (command === 'check') {
    const { manifest } = await checkExtension(process.cwd())
    console.log(`${manifest.id} ${manifest.version} is ready to be packed`)
    return
  }
  const { path, size } = await packExtension(process.cwd(), values.out)
  console.log(`${relative('.', path)}  ${(size / 1000).toFixed(1)} kB`)
}

try {
  await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
// A timer of a loaded module would keep the process alive. The callback runs once the output is written.
process.stdout.write('', () => process.exit())
