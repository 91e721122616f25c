import { parseArgs } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import type { Command } from './command.ts'

export const versionCommand: Command = {
  name: 'version',
  summary: 'prints the version',
  help: `Prints the version of this Pult.

  npm run pult -- version`,
  read(args) {
    parseArgs({ args, options: {} })
    return async ({ say }) => say(manifest.version)
  },
}
