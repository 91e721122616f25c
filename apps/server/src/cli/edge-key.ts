import { parseArgs } from 'node:util'
import { pult } from '#platform/program-name.ts'
import { createAuditService } from '../audit/audit.service.ts'
import { createEdgeReleaseKeys } from '../edges/releases/edge-release-keys.ts'
import { ensureSecret } from '../installation/secret.ts'
import type { Command } from './command.ts'
import { withNewInstallation } from './installation.ts'

const help = `Replaces the key that signs the agent of edges.

  ${pult('edge-key --rotate')}

  --rotate  makes a new key, which the previous key announces

Agents trust the new key because of this announcement and need no visit. A running server uses it immediately. Replace
the key if others may have read the database and the secret.`

export const edgeKeyCommand: Command = {
  name: 'edge-key',
  summary: 'replaces the key that signs the agent of edges',
  help,
  read(args) {
    const { values } = parseArgs({ args, options: { rotate: { type: 'boolean', default: false } } })
    if (!values.rotate) throw new Error('--rotate is missing')

    return ({ environment, print }) =>
      withNewInstallation(environment, async ({ config, dataFolder, database: { db }, update }) => {
        await update()
        const secrets = await ensureSecret({ db, secret: config.secret, dataFolder })
        await createEdgeReleaseKeys({ db, secrets, audit: createAuditService(db) }).rotate()
        print('The agent is signed with a new key')
      })
  },
}
