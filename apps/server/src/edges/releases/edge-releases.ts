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

/** Signs the facts of the agent that this node serves. */
export function createEdgeReleases({ keys, agentFile }: EdgeReleasesParts) {
  let hashed: { mtime: Date; size: number; sha256: string } | undefined

  /** Returns the facts of the file. Reads the file only after a change, because calls need no authentication. */
  async function factsOfFile() {
    const { mtime, size } = await stat(agentFile)
    if (hashed?.mtime.getTime() !== mtime.getTime() || hashed.size !== size) {
      const sha256 = createHash('sha256')
        .update(await readFile(agentFile))
        .digest('hex')
      hashed = { mtime, size, sha256 }
    }
    return hashed
  }

  return {
    /** @throws {AppError} NOT_FOUND if the agent is not built. */
    async release(): Promise<EdgeRelease> {
      const { mtime, size, sha256 } = await factsOfFile().catch(() => {
        throw new AppError('NOT_FOUND')
      })
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
