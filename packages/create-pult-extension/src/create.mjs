#!/usr/bin/env node
// Creates an extension for Pult. Runs on Node 20 or later without dependencies.
import { parseArgs } from 'node:util'
import { askMissing } from './questions.mjs'
import { writeExtension } from './write-extension.mjs'

const help = `Creates an extension for Pult: an app with two tabs, tests, and scripts to build and pack it.

  npm create pult-extension [FOLDER] -- [OPTIONS]

  FOLDER         target folder: new or empty; its name is the default id
  --id ID        lower-case letters, digits and hyphens
  --label LABEL  name that users see
  --description  purpose of the extension, in one sentence
  --author NAME  copyright holder in the licence
  --sdk FILE     packed SDK (pult-sdk-1.0.0.tgz), if no registry has the SDK
  --yes          use the defaults without questions`

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
  if (positionals.length > 1) throw new Error(`Name one folder only\n\n${help}`)
  const mayAsk = !values.yes && process.stdin.isTTY && process.stdout.isTTY
  const wishes = await askMissing({ ...values, folder: positionals[0] }, mayAsk)
  await writeExtension(wishes)
  console.log(`Created ${wishes.label} in ${wishes.folder}. Next steps:

  cd ${wishes.folder}
  npm install
  npm test
  npm run dev      opens the app in a running console
  npm run pack     writes the archive that a server installs`)
}

try {
  await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
