import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expectPage, extensionFolder, openConsole, testServer } from '@pult/testkit'
import { describe, test } from 'vitest'

const entry = `
  import { createElement as h, useState } from 'react'
  import { usePageQuery } from '@pult/sdk'
  import { useUnsavedInput } from '@pult/sdk/resource'
  import { Button, TextField } from '@pult/sdk/ui'
  const module = (what) => async () => ({ default: what })
  const loader = module({ routes: [{ name: 'app', path: '', Component: () => null }] })
  const card = (name) => module({ read: async ({ subject }) => name + ' of ' + subject, Component: ({ data }) => h('p', null, data) })
  function Shifts({ id }) {
    const [note, setNote] = useState('')
    const [, change] = usePageQuery()
    useUnsavedInput(note !== '')
    return h('div', null, h('p', null, 'Shifts of ' + id),
      h(TextField, { label: 'Note', value: note, onChange: ({ target }) => setNote(target.value) }),
      h(Button, { onClick: () => change({ sort: 'late' }) }, 'Latest first'))
  }
  const broken = module({ read: async () => { throw new Error('No card today') }, Component: () => null })
  export default { register: ({ registerApp }) => {
    registerApp({ id: 'planner', loader, cards: { org: card('Plan'), broken },
      pageTabs: { shifts: module({ Component: Shifts }) } })
    registerApp({ id: 'billing', loader, cards: { all: card('Bills'), broken },
      pageTabs: { bills: module({ Component: ({ id }) => h('p', null, 'Bills of ' + id) }) } })
  } }`

const app = (id: string, productSku: string, more: object) => ({
  id,
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
  label: id,
  icon: 'box',
  productSku,
  ...more,
})
const broken = { id: 'broken', label: 'Broken card', priority: 2 }

const extensionsFolder = await extensionFolder({
  planner: {
    manifest: {
      id: 'planner',
      label: 'Planner',
      products: [{ sku: 'planner', label: 'Planner', roles: [] }],
      apps: [
        app('planner', 'planner', {
          cards: [
            { id: 'org', label: 'Plan', priority: 1, place: 'organisation' },
            { ...broken, place: 'organisation' },
          ],
          pageTabs: [{ id: 'shifts', page: 'person', label: 'Shifts' }],
        }),
        app('billing', 'root', {
          cards: [
            { id: 'all', label: 'Bills', priority: 1, place: 'root' },
            { ...broken, place: 'root' },
          ],
          pageTabs: [{ id: 'bills', page: 'person', label: 'Bills' }],
        }),
      ],
    },
    files: { 'entry.js': entry },
  },
})
// The extensions whose pages show a person's tabs.
for (const id of ['accounts', 'project-details'])
  await cp(join('dist/extensions', id), join(extensionsFolder, id), { recursive: true })

describe('cards and tabs of apps on pages of the console', async () => {
  const server = await testServer({ withConsole: true, extensionsFolder })
  const { given } = server
  const [owner, member, root] = [
    await given.person(),
    await given.person(),
    await given.person({ isRoot: true }),
  ]
  const { orgId } = await given.organisation(owner, {})
  await given.project(owner, {
    label: 'Hall 7',
    org: { orgId },
    products: ['planner', 'project'],
    grants: [{ person: member, productRole: 'project/viewer' }],
  })

  test('an organisation’s page shows the cards of its project’s apps, where a failing card affects only itself, and a person’s page has their tabs', async () => {
    const { page } = await openConsole(server, { as: owner, path: `/orgs/${orgId}` })
    const cards = page.getByRole('region', { name: 'Cards of apps' })
    await expectPage(cards.getByText(`Plan of ${orgId}`)).toBeVisible()
    await expectPage(cards.getByText('No card today')).toBeVisible()
    await expectPage(cards.getByRole('heading')).toHaveText(['Plan', 'Broken card'])
    // Only the cards of home can be rearranged.
    await expectPage(cards.getByRole('button', { name: /^Move/ })).toHaveCount(0)

    await page.goto(`/app/project-details/people/${member.personId}`)
    await page.getByRole('tab', { name: 'Shifts' }).click()
    await expectPage(page.getByText(`Shifts of ${member.personId}`)).toBeVisible()
    await expectPage(page.getByRole('tab', { name: 'Bills' })).toHaveCount(0)
  })

  test('DEC-30 another tab of a page asks before it discards input, and a sort order does not', async () => {
    const path = `/app/project-details/people/${member.personId}?tab=planner%2Fshifts`
    const { page } = await openConsole(server, { as: owner, path })
    const note = page.getByRole('textbox', { name: 'Note' })
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await note.fill('Late on Monday')
    await page.getByRole('button', { name: 'Latest first' }).click()
    await expectPage(page).toHaveURL(/sort=late/)
    await page.getByRole('tab').first().click()
    await question.getByRole('button', { name: 'Stay' }).click()
    await expectPage(note).toHaveValue('Late on Monday')
    await page.getByRole('tab').first().click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await expectPage(note).toHaveCount(0)
    await expectPage(page).not.toHaveURL(/tab=/)
  })

  test('root’s page shows the cards of apps for the installation, and a person’s page in Accounts has their tabs', async () => {
    const { page } = await openConsole(server, { as: root, path: '/root' })
    const cards = page.getByRole('region', { name: 'Cards of apps' })
    await expectPage(cards.getByText('Bills of null')).toBeVisible()
    await expectPage(cards.getByText('No card today')).toBeVisible()
    await expectPage(cards.getByRole('heading')).toHaveText(['Bills', 'Broken card'])

    await page.goto(`/app/accounts/edit/${member.personId}`)
    await page.getByRole('tab', { name: 'Bills' }).click()
    await expectPage(page.getByText(`Bills of ${member.personId}`)).toBeVisible()
    await expectPage(page).toHaveURL(/tab=billing%2Fbills/)
    await expectPage(page.getByRole('tab', { name: 'Shifts' })).toHaveCount(0)
  })
})
