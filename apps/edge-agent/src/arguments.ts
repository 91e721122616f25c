import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { exitCodes, Failure } from './exit-codes.ts'

export const help = `Connects this machine to a Pult server as an edge.

  node edge-agent.mjs --server https://pult.example.org --code 7K2QD-M9XAB-0TRZC-HW4EN

The code is shown once when the edge is added in the Edges app, and works once, for 15 minutes. From then on the agent
has a token of its own and starts without one:

  node edge-agent.mjs

  --server URL    the address of the server
  --code CODE     becomes the edge that the code was made for, in the place of what this machine was before
  --state FOLDER  where the token is kept (file edge.json, readable for its owner alone)
                  $STATE_DIRECTORY, else /var/lib/pult-edge as root, else ~/.local/state/pult-edge
  --config FILE   what the edge runs and how it is restarted; config.json in the state folder when left out
  --help          this text
  --version       the agent's version

Ends with 0 when it was stopped, 64 for wrong arguments, 69 when another agent took its place, 76 when the server speaks
none of its protocols, 77 when the code or token is not valid (any more), 78 for unusable settings, 1 for
anything else. Only 1 is worth another start. A server whose certificate is signed by an authority of your own needs
NODE_EXTRA_CA_CERTS=FILE.
`

export interface Arguments {
  server: string | undefined
  code: string | undefined
  stateFolder: string
  configFile: string
}

export type Asked = 'help' | 'version' | Arguments

/** @throws {Failure} usage */
export function readArguments(args: readonly string[], env: NodeJS.ProcessEnv, isRoot: boolean): Asked {
  const { values } = parsed(args)
  if (values.help === true) return 'help'
  if (values.version === true) return 'version'
  const stateFolder = values.state ?? env['STATE_DIRECTORY']?.split(':')[0] ?? usualFolder(env, isRoot)
  return {
    server: values.server === undefined ? undefined : serverOf(values.server),
    code: values.code,
    stateFolder,
    configFile: values.config ?? join(stateFolder, 'config.json'),
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        server: { type: 'string' },
        code: { type: 'string' },
        state: { type: 'string' },
        config: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure(exitCodes.usage, `${reason}\nSee --help.`)
  }
}

/** The server's address without a path: every endpoint is below `/api`. */
function serverOf(text: string): string {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new Failure(
      exitCodes.usage,
      `--server must be an address like https://pult.example.org, not ${text}`,
    )
  return url.origin
}

const usualFolder = (env: NodeJS.ProcessEnv, isRoot: boolean) =>
  isRoot ? '/var/lib/pult-edge' : join(env['XDG_STATE_HOME'] ?? join(homedir(), '.local/state'), 'pult-edge')
