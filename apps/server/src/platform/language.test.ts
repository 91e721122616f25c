import { errors, loginEndpoints, productEndpoints, profileEndpoints, projectEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { expect, test } from 'vitest'
import { languageOf } from './language.ts'

const server = await testServer()
const { given } = server
const messageOf = (body: unknown) => (body as { message?: string } | undefined)?.message
const inGerman = { headers: { 'accept-language': 'de,en-US;q=0.7,en;q=0.3' } }

test.each([
  [undefined, 'de'],
  ['', 'de'],
  ['*', 'de'],
  ['de', 'de-DE'],
  ['DE', 'de-DE'],
  ['de-DE', 'de-DE'],
  ['de-AT', 'de-DE'],
  ['de,en;q=.7', 'de-DE'],
  ['de,en-US;q=0.7,en;q=0.3', 'de-DE'],
  ['den', 'de'],
  ['de-AT, de;q=0.9, en;q=0.8', 'de-DE'],
  ['fr, en-GB;q=0.8, de;q=0.7', 'en'],
  ['en', 'en'],
] as const)('DEC-28 Accept-Language %s selects the catalogue %s', (header, language) => {
  expect(languageOf(header)).toBe(language)
})

test('DEC-28 DEC-37 an error message follows Accept-Language, its code stays the same', async () => {
  const wrong = {
    body: { type: 'credentials', data: { username: 'unknown@example.org', password: 'wrong' } },
  } as const
  const [byDefault, german, english] = await Promise.all(
    [{}, inGerman, { headers: { 'accept-language': 'en' } }].map((more) =>
      server.call(loginEndpoints.login, { ...wrong, ...more }),
    ),
  )
  for (const answer of [byDefault, german, english]) expect(answer).toFailWith('INVALID_CREDENTIALS')
  const messages = [byDefault, german, english].map((answer) => messageOf(answer?.body))
  expect(messages).toEqual([
    errors.INVALID_CREDENTIALS.message,
    'Die Anmeldedaten stimmen nicht',
    errors.INVALID_CREDENTIALS.message,
  ])
})

test('DEC-28 DEC-37 the message of a field issue follows Accept-Language', async () => {
  const ada = await given.person()
  const answer = await server.call(
    profileEndpoints.update,
    { body: { firstname: 'A' }, ...inGerman },
    ada.token,
  )
  expect(answer).toFailWith('VALIDATION_FAILED')
  expect(answer.body).toMatchObject({
    message: 'Die Anfrage ist nicht gültig',
    issues: [{ path: ['firstname'], message: expect.stringMatching(/^Mindestens 2/) as string }],
  })
})

test('DEC-28 product labels and reasons follow Accept-Language', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, { products: ['project'] })
  const [english, german] = await Promise.all([
    ada.call(productEndpoints.list),
    ada.call(productEndpoints.list, inGerman),
  ])
  const labels = [english, german].map(({ body }) => body.items.find(({ sku }) => sku === 'project')?.label)
  expect(labels).toEqual(['Project', 'Projekt'])
  const input = { params: { projectId, personId: ada.personId }, query: { app: 'project-details' } }
  const explained = await ada.call(projectEndpoints.access, { ...input, ...inGerman })
  expect(explained.body.steps.map(({ reason }) => reason)).toContain('Der Person gehört das Projekt.')
})
