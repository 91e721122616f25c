import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { edgeEndpoints, edgeEnrolmentEndpoints, edgeProtocols } from '@pult/contract'
import { inWaves, testServer } from '@pult/testkit'
import { afterAll, expect, test } from 'vitest'
import { createSecrets } from '#platform/secrets.ts'
import { buildEdgeAgent } from '../../../../../tools/build-edge-agent.ts'
import { checkFile, verifyRelease } from '../../../../edge-agent/src/release.ts'
import { createAuditService } from '../../audit/audit.service.ts'
import { createEdgeReleaseKeys } from './edge-release-keys.ts'
import { createEdgeReleases } from './edge-releases.ts'

const server = await testServer()
const { given, db } = server

const folder = await mkdtemp(join(tmpdir(), 'pult-release-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

test('concurrent nodes create one key, which is stored encrypted; a replaced key announces the next', async () => {
  await db.deleteFrom('edge_release_key').execute()
  const agentFile = join(folder, 'agent.mjs')
  const file = Buffer.from('export {}\n')
  await writeFile(agentFile, file)
  const audit = createAuditService(db)
  const node = () => {
    const keys = createEdgeReleaseKeys({ db, secrets: createSecrets('a secret'), audit })
    return { ...keys, ...createEdgeReleases({ keys, agentFile }) }
  }
  const found = await inWaves(20, () => node().publicKey())
  expect(new Set(found).size).toBe(1)
  const pinned = found[0] ?? ''
  const { private_key: stored } = await db
    .selectFrom('edge_release_key')
    .select('private_key')
    .executeTakeFirstOrThrow()
  expect(stored.toString('latin1')).not.toContain('PRIVATE')

  const releases = node()
  const { manifest, key } = verifyRelease(await releases.release(), pinned)
  expect(manifest).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    protocols: edgeProtocols,
  })
  expect(key).toBe(pinned)
  checkFile(manifest, file)
  // One buffer for all downloads until the file changes.
  expect(await releases.content()).toEqual(file)
  expect(await releases.content()).toBe(await releases.content())
  const changed = Buffer.from('export const changed = true\n')
  await writeFile(agentFile, changed)
  checkFile(verifyRelease(await releases.release(), pinned).manifest, changed)
  expect(await releases.content()).toEqual(changed)

  await releases.rotate()
  const next = await releases.publicKey()
  await releases.rotate()
  const last = await releases.publicKey()
  expect(new Set([pinned, next, last]).size).toBe(3)
  for (const known of [pinned, next, last])
    expect(verifyRelease(await node().release(), known).key).toBe(last)
  const events = await db
    .selectFrom('audit')
    .select('event')
    .where('event', '=', 'edge.key-rotated')
    .execute()
  expect(events).toHaveLength(2)
  await db.deleteFrom('edge_release_key').execute()
})

test('an enrolled agent receives the key that signs the agent which the server serves', async () => {
  await buildEdgeAgent()
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['edges'] })
  const made = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Hall 3' } })
  server.watchSecret(made.body.code)
  const { body } = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: made.body.code } })
  server.watchSecret(body.token)
  const release = await server.call(edgeEnrolmentEndpoints.release, {})
  expect(release).toSucceed()
  const file = await fetch(`${server.url}/api${edgeEnrolmentEndpoints.agent.path}`)
  const { manifest } = verifyRelease(release.body, body.releaseKey ?? '')
  checkFile(manifest, Buffer.from(await file.arrayBuffer()))
})
