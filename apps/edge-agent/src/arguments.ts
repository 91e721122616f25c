import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { exitCodes, Failure } from './exit-codes.ts'
import { readServerAddress } from './server-address.ts'

export const help = `Connects this machine to a Pult server as an edge.

  node edge-agent.mjs --server https://pult.example.org --code 7K2QD-M9XAB-0TRZC-HW4EN

The Edges app shows the code once, when the edge is added. The code works once and expires after 15 minutes. The agent
exchanges it for its own token, and then starts without it:

  node edge-agent.mjs

  --server URL    the address of the server
  --code CODE     enrols this machine as the edge of the code; replaces its former identity
  --state FOLDER  the folder of the token (file edge.json, readable by its owner only)
                  default: $STATE_DIRECTORY, for root /var/lib/pult-edge, else ~/.local/state/pult-edge
  --config FILE   programs and commands of the edge; default: config.json in the state folder
  --help          shows this text
  --version       shows the agent's version

Exit codes: 0 stopped, 64 wrong arguments, 77 code not valid or no longer valid (only on a terminal: a service asks
again), 78 settings, state or version of Node not usable, 1 any other failure. Restart the agent only after 1. If a
private certificate authority has signed the server's certificate, set NODE_EXTRA_CA_CERTS=FILE. The agent uses the
proxy of HTTPS_PROXY or HTTP_PROXY, except for the hosts of NO_PROXY.
`

export interface Arguments {
  server: string | undefined
  /** What the user should know about the address of the server. */
  hint?: string | undefined
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
  const server = values.server === undefined ? undefined : readServerAddress(values.server)
  const stateFolder = values.state ?? env['STATE_DIRECTORY']?.split(':')[0] ?? usualFolder(env, isRoot)
  return {
    server: server?.origin,
    hint: server?.hint,
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

const usualFolder = (env: NodeJS.ProcessEnv, isRoot: boolean) =>
  isRoot ? '/var/lib/pult-edge' : join(env['XDG_STATE_HOME'] ?? join(homedir(), '.local/state'), 'pult-edge')
