import { edgeEndpoints } from '@pult/contract'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given } = server

async function givenReader() {
  const olga = await given.person({ firstname: 'Olga', lastname: 'Ohm' })
  const vera = await given.person({ firstname: 'Vera' })
  const { projectId } = await given.project(olga, {
    products: ['project', 'edges'],
    grants: [{ person: vera, productRole: 'edges/viewer' }],
  })
  return { olga, vera, projectId }
}

test.each([
  ['', 'Adding an edge'],
  ['/jobs', 'Running a job'],
  ['/schedules', 'Creating a schedule'],
  ['/keys', 'Seeing and creating keys'],
])('/app/edges%s without a record names who may add one', async (path, action) => {
  const { vera } = await givenReader()
  const opened = await openConsole(server, { as: vera, path: `/app/edges${path}` })
  const main = opened.page.getByRole('main')
  await expectPage(main).toContainText(
    `${action} needs the role Operator. Ask Olga Ohm, who owns the project.`,
  )
  await expectPage(main.getByRole('button', { name: 'Ask for access' })).toBeVisible()
  await opened.expectAccessible()
  expect(opened.complaints).toEqual([])
})

test('the page of an edge shows readers who may change it', async () => {
  const { olga, vera, projectId } = await givenReader()
  const made = await olga.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Gate' } })
  server.watchSecret(made.body.code)
  const path = `/app/edges/edit/${made.body.edge._id}`
  const reader = await openConsole(server, { as: vera, path })
  await expectPage(reader.page.getByRole('main').getByText('Only operators can change this')).toBeVisible()
  await reader.expectAccessible()
  const owner = await openConsole(server, { as: olga, path })
  await expectPage(owner.page.getByRole('main').getByRole('heading', { name: 'Gate' })).toBeVisible()
  await expectPage(owner.page.getByRole('main').getByText('Only operators can change this')).toHaveCount(0)
})

test('the pages of a deleted edge and of an invalid address show that the edge does not exist', async () => {
  const { olga, vera, projectId } = await givenReader()
  const made = await olga.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Gate' } })
  server.watchSecret(made.body.code)
  const edgeId = made.body.edge._id
  const { page } = await openConsole(server, { as: vera, path: `/app/edges/edit/${edgeId}` })
  await expectPage(page.getByRole('heading', { name: 'Gate' })).toBeVisible()
  await olga.call(edgeEndpoints.remove, { params: { projectId, edgeId } })
  await expectPage(page.getByRole('heading', { name: 'This edge does not exist' })).toBeVisible()
  await page.goto(`/app/edges/edit/nonsense?project=${projectId}`)
  await expectPage(page.getByRole('heading', { name: 'This edge does not exist' })).toBeVisible()
})
