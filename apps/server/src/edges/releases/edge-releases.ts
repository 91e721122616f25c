import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { type EdgeManifest, type EdgeRelease, edgeProtocols } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { type EdgeReleaseKeys, releaseKeyId } from './edge-release-keys.ts'

interface EdgeReleasesParts {
  keys: Pick<EdgeReleaseKeys, 'all' | 'signWith'>
  /** The built agent. */
  agentFile: string
}

/** The oldest version that can update to this one. Agents before it do not support releases. */
const minimum = '2.4.0'

/** Serves the file of the agent, and signs its facts. */
export function createEdgeReleases({ keys, agentFile }: EdgeReleasesParts) {
  let latest: { mtime: Date; size: number; content: Buffer; sha256: string } | undefined

  /** Reads the file only after a change, because calls need no authentication. All replies share its bytes. */
  async function readAgent() {
    const { mtime, size } = await stat(agentFile)
    if (latest?.mtime.getTime() !== mtime.getTime() || latest.size !== size) {
      const content = await readFile(agentFile)
      latest = { mtime, size, content, sha256: createHash('sha256').update(content).digest('hex') }
    }
    return latest
  }

  const agent = () =>
    readAgent().catch(() => {
      throw new AppError('NOT_FOUND')
    })

  return {
    /** @throws {AppError} NOT_FOUND if the agent is not built. */
    content: async (): Promise<Buffer> => (await agent()).content,

    /** @throws {AppError} NOT_FOUND if the agent is not built. */
    async release(): Promise<EdgeRelease> {
      const { mtime, size, sha256 } = await agent()
      const { keys: known, newest } = await keys.all()
      const facts: EdgeManifest = {
        version: manifest.version,
        minimum,
        protocols: edgeProtocols,
        sha256,
        size,
        created: mtime.toISOString(),
        keyId: releaseKeyId(newest),
      }
      return {
        manifest: keys.signWith(newest, 'manifest', JSON.stringify(facts)),
        keys: known.flatMap(({ announcement }) => announcement ?? []),
      }
    },
  }
}
export type EdgeReleases = ReturnType<typeof createEdgeReleases>
