import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import consoleApp from '../apps/console/package.json' with { type: 'json' }
import serverApp from '../apps/server/package.json' with { type: 'json' }
import { sbomFile, updateSbom, writeSbom } from './sbom.ts'

test('the SBOM lists the components that Pult ships with version and digest, without development tools', async () => {
  await writeSbom()
  const { bomFormat, specVersion, components } = JSON.parse(await readFile(sbomFile, 'utf8')) as {
    bomFormat: string
    specVersion: string
    components: { name: string; version: string; hashes?: unknown[] }[]
  }
  expect([bomFormat, specVersion]).toEqual(['CycloneDX', '1.5'])
  const names = components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['fastify', 'kysely', 'react']))
  expect(names).not.toContain('vitest')
  expect(components.find(({ name }) => name === 'fastify')?.hashes).toHaveLength(1)
}, 60_000)

test('the SBOM of a production build lists every dependency of the server and the console', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-sbom-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('NODE_ENV', 'production')
  const file = join(folder, 'sbom.cdx.json')
  await writeSbom(file)
  const { components } = JSON.parse(await readFile(file, 'utf8')) as {
    components: { 'bom-ref': string }[]
  }
  const names = components.map(({ 'bom-ref': ref }) => ref.slice(0, ref.lastIndexOf('@')))
  const declared = [serverApp, consoleApp].flatMap(({ dependencies }) => Object.keys(dependencies))
  expect(names).toEqual(expect.arrayContaining(declared))
}, 60_000)

test('a build writes the SBOM only when it is missing or package-lock.json is newer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-sbom-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'sbom.cdx.json')
  await updateSbom(file)
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ bomFormat: 'CycloneDX' })

  await writeFile(file, 'current')
  await updateSbom(file)
  expect(await readFile(file, 'utf8')).toBe('current')

  await utimes(file, 0, 0)
  await updateSbom(file)
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ bomFormat: 'CycloneDX' })
}, 60_000)
