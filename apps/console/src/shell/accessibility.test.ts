import { expectPage, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

/* States of the frame without a screenshot. e2e/accessibility.test.ts checks all others. */
test('home in the colour of a project, the empty app switcher and the folded navigation have no axe findings and no browser errors', async () => {
  const server = await testServer({ withConsole: true })
  const owner = await server.given.person({ isRoot: true })
  await server.given.project(owner, { label: 'Messe 2026', consoleColor: '#b8500f' })
  const opened = await openConsole(server, { as: owner })
  const { page } = opened
  await expectPage(page.getByRole('banner')).toBeVisible()
  await opened.expectAccessibleInLooks()
  await page.getByRole('button', { name: 'Apps' }).click()
  await expectPage(page.getByRole('dialog')).toBeVisible()
  await opened.expectAccessibleInLooks()
  // The focused part of the frame may be hidden in another width.
  await page.getByRole('dialog').press('Escape')
  await expectPage(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Fold navigation' }).click()
  await expectPage(page.getByRole('button', { name: 'Unfold navigation' })).toBeVisible()
  await opened.expectAccessibleInLooks()
  expect(opened.complaints).toEqual([])
})
