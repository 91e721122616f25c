import { parseArgs } from 'node:util'
import { pult } from '#platform/program-name.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { Command } from './command.ts'

export const versionCommand: Command = {
  name: 'version',
  summary: 'prints the version',
  help: `Prints the version of this Pult.

  ${pult('version')}`,
  read(args) {
    parseArgs({ args, options: {} })
    return async ({ print }) => print(manifest.version)
  },
}
