import { expect, test } from 'vitest'
import { groupByOrganisation } from './group-by-organisation.ts'

test('silverbulletmd/silverbullet#614 organisations have the order of names, and private projects come last', () => {
  const labels = ['Zürich', 'Kran 10', null, 'Österreich', 'Kran 2']
  const projects = labels.map((orgLabel) => ({ org: orgLabel, orgLabel }))
  const groups = groupByOrganisation(projects)
  expect(groups.map(({ label }) => label)).toEqual(['Kran 2', 'Kran 10', 'Österreich', 'Zürich', null])
})
