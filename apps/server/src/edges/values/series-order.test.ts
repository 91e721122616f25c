import { edgeValueEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { expect, test } from 'vitest'
import { createSampleRepository } from './sample.repository.ts'

const { given, db } = await testServer()

test('portainer/portainer#12774 the charts of own values have the order of their names', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  const edgeId = await given.edge(projectId, { label: 'Hall' })
  const keys = ['pump-10', 'pump-2', 'Pump-1']
  const samples = createSampleRepository(db)
  const series = await samples.seriesOf(keys.map((key) => ({ edgeId, key, unit: 'bar' })))
  const from = Math.floor(Date.now() / 60_000) * 60_000 - 120_000
  await samples.write([{ edgeId, at: from, ticks: new Map([[0, new Map(series.map(({ id }) => [id, 1]))]]) }])
  const { body } = await owner.call(edgeValueEndpoints.read, {
    params: { projectId, edgeId },
    query: { from: new Date(from).toISOString() },
  })
  expect(body.series.map(({ key }) => key)).toEqual(['Pump-1', 'pump-2', 'pump-10'])
})
