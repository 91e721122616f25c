import type { Fragment } from '@pult/contract'
import { afterEach, expect, test } from 'vitest'
import { apps, keepExtensions, showExtension } from './registry.ts'

afterEach(() => keepExtensions([]))

test('silverbulletmd/silverbullet#614 apps of one priority have the order of names', async () => {
  const labels = ['Zebra', 'Ähre', 'Kran 10', 'Kran 2']
  const all = labels.map((label) => ({ id: label, label, priority: label === 'Zebra' ? 1 : 1000 }))
  showExtension({ id: 'works', apps: all } as unknown as Fragment, { status: 'loading' })
  await Promise.resolve()
  expect(apps.get().map(({ manifest }) => manifest.label)).toEqual(['Zebra', 'Ähre', 'Kran 2', 'Kran 10'])
})
