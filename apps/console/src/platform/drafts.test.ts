import { edgeEndpoints } from '@pult/contract'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'
import { endSessionElsewhere, signIn } from './testing/sessions.ts'

const server = await testServer({ withConsole: true })
const { given } = server

test.each([
  ['an address of the account', () => '/me/emails', 'New e-mail address'],
  ['an invitation', () => '/app/project-details/people', 'E-mail address'],
  ['the place of an edge', (edgeId: string) => `/app/edges/edit/${edgeId}`, 'Place'],
])(
  'DEC-02 %s is still in its field after the session has ended and the same person signs in',
  async (_what, pathOf, label) => {
    const [owner, colleague] = [await given.person(), await given.person()]
    const { projectId } = await given.project(owner, {
      products: ['project', 'edges'],
      grants: [{ person: colleague, productRole: 'edges/operator' }],
    })
    const made = await colleague.call(edgeEndpoints.enrol, {
      params: { projectId },
      body: { label: 'Portalkran 1' },
    })
    expect(made).toSucceed()
    server.watchSecret(made.body.code)
    const opened = await openConsole(server, { as: owner, path: pathOf(made.body.edge._id) })
    const field = opened.page.getByRole('main').getByLabel(label, { exact: true })
    await field.fill('Kai 3')
    await endSessionElsewhere(server, opened)
    await signIn(opened, owner)
    await expectPage(field).toHaveValue('Kai 3')
  },
)
