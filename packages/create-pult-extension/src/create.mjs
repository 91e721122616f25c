#!/usr/bin/env node
// Makes a new extension of Pult. Runs on any Node from 20, and needs no package.
import { parseArgs } from 'node:util'
import { askMissing } from './questions.mjs'
import { writeExtension } from './write-extension.mjs'

const help = `Makes a new extension of Pult: an app with two tabs, tests, and all that builds and packs it.

  npm create pult-extension [FOLDER] -- [OPTIONS]

  FOLDER         where it goes; must not exist, or be empty. Its name becomes the id
  --id ID        lower-case letters, digits and hyphens
  --label LABEL  what people call it
  --description  what it is for, in one sentence
  --author NAME  who holds the rights; for the licence
  --sdk FILE     a packed SDK (pult-sdk-1.0.0.tgz), where the registry has none
  --yes          asks nothing`

const options = /** @type {const} */ ({
  id: { type: 'string' },
  label: { type: 'string' },
  description: { type: 'string' },
  author: { type: 'string' },
  sdk: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
})

async function run() {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  if (values.help) {
    console.log(help)
    return
  }
  if (positionals.length > 1) throw new Error(`One folder at a time, please\n\n${help}`)
  const mayAsk = !values.yes && process.stdin.isTTY && process.stdout.isTTY
  const wishes = await askMissing({ ...values, folder: positionals[0] }, mayAsk)
  await writeExtension(wishes)
  console.log(`${wishes.label} is in ${wishes.folder}. Now:

  cd ${wishes.folder}
  npm install
  npm test
  npm run dev      in a running console
  npm run pack     what a server installs`)
}

try {
  await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
