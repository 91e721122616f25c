#!/usr/bin/env node
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { packExtension } from './pack.ts'

const help = `Packs an extension of Pult, in whose folder it is called.

  pult-extension pack [--out FOLDER]

  pack  builds it and writes ID-VERSION.tgz, which a server installs
  --out where the archive goes; the folder of the extension without it`

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string', default: '.' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help === true) {
    console.log(help)
    return
  }
  if (positionals.length !== 1 || positionals[0] !== 'pack') throw new Error(help)
  const { path, size } = await packExtension(process.cwd(), values.out)
  console.log(`${relative('.', path)}  ${(size / 1000).toFixed(1)} kB`)
}

try {
  await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
