import { organisationEndpoints } from '@pult/contract'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given } = server

test('SHELL-07 arrow keys, Home and End move through the rows of lists and tables, but not in fields', async () => {
  const ada = await given.person()
  const members = [
    await given.person({ firstname: 'Kim', lastname: 'Kranz' }),
    await given.person({ firstname: 'Lea', lastname: 'Lang' }),
  ]
  const { orgId } = await given.organisation(ada, { members })
  for (const name of ['a', 'b', 'c']) {
    const body = { email: `${name}@example.org` }
    expect(await ada.call(organisationEndpoints.invite, { params: { orgId }, body })).toSucceed()
  }
  const { page, complaints } = await openConsole(server, { as: ada, path: `/orgs/${orgId}` })
  const button = (name: string) => page.getByRole('main').getByRole('button', { name })
  const again = (name: string) => button(`Send the invitation of ${name}@example.org again`)
  const revoke = (name: string) => button(`Revoke the invitation of ${name}@example.org`)
  await expectPage(revoke('c')).toBeVisible()
  // The list keys load with the first user interaction.
  await page.getByRole('heading', { level: 1 }).click()
  await expectPage(async () => {
    await again('b').focus()
    await page.keyboard.press('ArrowRight')
    await expectPage(revoke('b')).toBeFocused({ timeout: 500 })
  }).toPass()

  // The newest item comes first.
  await again('b').focus()
  for (const [key, target] of [
    ['ArrowRight', revoke('b')],
    ['ArrowDown', revoke('a')],
    ['ArrowDown', revoke('a')],
    ['ArrowLeft', again('a')],
    ['Home', again('c')],
    ['ArrowUp', again('c')],
    ['End', again('a')],
    ['ArrowRight', revoke('a')],
    ['ArrowUp', revoke('b')],
  ] as const) {
    await page.keyboard.press(key)
    await expectPage(target).toBeFocused()
  }

  await button('Make Kim Kranz the owner').focus()
  await page.keyboard.press('ArrowDown')
  await expectPage(button('Make Lea Lang the owner')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expectPage(button('Make Kim Kranz the owner')).toBeFocused()

  // With modifiers, and in a text field, the keys keep their usual behaviour.
  await page.keyboard.press('Shift+ArrowDown')
  await expectPage(button('Make Kim Kranz the owner')).toBeFocused()
  const field = page.getByPlaceholder('E-mail address')
  await field.focus()
  await page.keyboard.press('ArrowUp')
  await expectPage(field).toBeFocused()
  expect(complaints).toEqual([])
})
