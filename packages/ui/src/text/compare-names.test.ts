import { expect, test } from 'vitest'
import { compareNames } from './compare-names.ts'

test('silverbulletmd/silverbullet#614 zammad/zammad#1564 names have the order that people expect', () => {
  const names = ['Ähre', 'Apfel', 'Kran 2', 'Kran 10', 'Ost', 'Österreich', 'Zebra', 'Zürich']
  expect(names.toReversed().toSorted(compareNames)).toEqual(names)
})
