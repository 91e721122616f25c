import { edgeJobEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { expect, test } from 'vitest'
import { someReport } from '../testing/virtual-agent.ts'

const { given } = await testServer()

test('portainer/portainer#12774 commands and programs of equally many edges have the order of their names', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  // The keys are in another order than the labels.
  const names = ['Player 10', 'Ähre', 'Player 2', 'Zebra']
  const command = (label: string, place: number) => ({ key: `c${place}`, label, parameters: [] })
  const instance = (label: string, place: number) =>
    ({ key: `p${place}`, label, state: 'running', canRestart: true }) as const
  const report = someReport({ commands: names.map(command), instances: names.map(instance) })
  await given.edge(projectId, { label: 'One', report })
  const more = someReport({ commands: [command('Zebra', 3)], instances: [instance('Zebra', 3)] })
  await given.edge(projectId, { label: 'Two', report: more })
  const { body } = await owner.call(edgeJobEndpoints.choices, { params: { projectId } })
  const sorted = ['Zebra', 'Ähre', 'Player 2', 'Player 10']
  expect(body.commands.map(({ label }) => label)).toEqual(sorted)
  expect(body.programs.map(({ label }) => label)).toEqual(sorted)
})
