import { readFile } from 'node:fs/promises'
import { apiBase, extensionManifest } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { expect, test } from 'vitest'
import { manifestSchema } from './manifest-schema.ts'

const committed = new URL('../../../../../docs/extensions/manifest.schema.json', import.meta.url)

test('the published schema is the schema that the server enforces', async () => {
  const text = await readFile(committed, 'utf8')
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(manifestSchema)))
  const server = await testServer()
  const answer = await fetch(`${server.url}${apiBase}/extension-manifest.json`)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(await answer.json()).toEqual(JSON.parse(text))
})

test('the schema has only formats of the JSON Schema standard, which every validator knows', () => {
  const formats = [...JSON.stringify(manifestSchema).matchAll(/"format":"([^"]+)"/g)].map(([, name]) => name)
  expect(new Set(formats)).toEqual(new Set(['uuid']))
})

test('labels with a tab, a line break or hidden characters are accepted and cleaned', () => {
  const app = { id: 'a', uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11', icon: 'box', productSku: 'root' }
  const read = extensionManifest.parse({
    id: 'a',
    version: '1.0.0',
    label: 'Show\tcontrol',
    apps: [{ ...app, label: 'Cue\r\nlist\u202e', labels: { 'de-DE': 'Cue\u200bliste\ue000' } }],
  })
  expect(read.label).toBe('Show control')
  expect(read.apps[0]).toMatchObject({ label: 'Cue list', labels: { 'de-DE': 'Cueliste\ue000' } })
})

test('APP-01 the schema declares the fields of an app and its required ones', () => {
  const { apps } = manifestSchema.properties as Record<string, { items: Record<string, unknown> }>
  expect(Object.keys(apps?.items['properties'] as object)).toEqual(
    expect.arrayContaining(['id', 'uuid', 'label', 'icon', 'productSku', 'role', 'priority', 'container']),
  )
  expect(apps?.items['required']).toEqual(['id', 'uuid', 'label', 'icon', 'productSku'])
  const least = { id: 'a', uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11', label: 'A', icon: 'box' }
  const { apps: read } = extensionManifest.parse({
    id: 'a',
    version: '1.0.0',
    label: 'A',
    apps: [{ ...least, productSku: 'root' }],
  })
  expect(read[0]).toMatchObject({ priority: 1000, container: 'page' })
})
