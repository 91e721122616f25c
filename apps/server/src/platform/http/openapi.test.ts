import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as contract from '@pult/contract'
import { apiBase, commonErrorCodes, type Endpoint, type ErrorCode, errors } from '@pult/contract'
import { sized, testServer } from '@pult/testkit'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { outputOfFailure, root } from '../../../../../tools/steps.ts'
import { type ThirdPartyToolName, thirdPartyTool } from '../../../../../tools/third-party/third-party-tool.ts'
import type { ApiDocument, ApiOperation } from './openapi-document.ts'

const server = await testServer({ settings: { PULT_URL: 'https://pult.example.org' } })

let document: ApiDocument & { openapi: string; servers: { url: string }[] }
let operations: (ApiOperation & { call: string; id: string })[]
beforeAll(async () => {
  document = (await (await fetch(`${server.url}${apiBase}/openapi.json`)).json()) as typeof document
  operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      call: `${method.toUpperCase()} ${path}`,
      id: operation.operationId ?? '',
    })),
  )
})

const callOf = ({ method, path }: Endpoint) => `${method} ${apiBase}${path.replace(/:(\w+)/g, '{$1}')}`

/** Every endpoint of the contract with its name: `emailEndpoints.setDefault` is `email.setDefault`. */
const contractCalls = Object.entries(contract as unknown as Record<string, Record<string, Endpoint>>)
  .filter(([name]) => name.endsWith('Endpoints'))
  .flatMap(([name, endpoints]) =>
    Object.entries(endpoints).map(([key, endpoint]) => ({
      noun: name.replace(/Endpoints$/, ''),
      key,
      endpoint,
    })),
  )

test('the API description names every call as the contract does, and each once', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
  const described = new Map(operations.map((operation) => [operation.call, operation]))
  for (const { noun, key, endpoint } of contractCalls) {
    const { id, summary, tags } = described.get(callOf(endpoint)) ?? {}
    expect([`${noun}.${key}`, `${noun}s.${key}`], callOf(endpoint)).toContain(id)
    expect([summary, tags]).toEqual([endpoint.summary, [id?.split('.')[0]]])
  }
  expect(described.get('POST /api/me/account/emails/{emailId}/set-default')?.id).toBe('emails.setDefault')
  const routes = new Set(contractCalls.map(({ endpoint }) => callOf(endpoint)))
  expect(operations.flatMap(({ call, id }) => (routes.has(call) ? [] : [id])).toSorted()).toEqual([
    'files.content',
    'files.upload',
    'rootExtensions.install',
    'system.health',
    'system.metrics',
  ])
})

test('the API description declares each tag, the licence, a contact and the address of the installation', async () => {
  const tags = (document.tags ?? []).map(({ name }) => name)
  expect(new Set(operations.flatMap((operation) => operation.tags ?? []))).toEqual(new Set(tags))
  expect((document.tags ?? []).every(({ description = '' }) => /^[A-Z].+\.$/.test(description))).toBe(true)
  expect(document.info).toMatchObject({
    license: { identifier: 'MIT' },
    contact: { name: 'The operator of this installation', url: 'https://pult.example.org' },
  })
  expect(document.servers).toEqual([{ url: 'https://pult.example.org' }])

  const local = await testServer({ settings: { CONTACT_URL: 'mailto:desk@example.org' } })
  expect(await (await fetch(`${local.url}${apiBase}/openapi.json`)).json()).toMatchObject({
    info: { contact: { email: 'desk@example.org' } },
    servers: [{ url: '/' }],
  })
})

test('the API description names the errors of each call by status, and those of every call', () => {
  const errorsOf = new Map(contractCalls.map(({ endpoint }) => [callOf(endpoint), endpoint.errors]))
  const described = operations.map(({ call, responses = {} }) => {
    const { 200: reply, default: common, ...refusals } = responses
    expect([reply?.content, common?.description], call).toEqual([
      expect.anything(),
      commonErrorCodes.join(', '),
    ])
    const named = Object.entries(refusals).flatMap(([status, { description = '' }]) =>
      description.split(', ').map((code) => `${status} ${code}`),
    )
    return { call, named: named.toSorted() }
  })
  const expected = described.map(({ call, named }) => {
    const codes = new Set<ErrorCode>(['VALIDATION_FAILED', ...(errorsOf.get(call) ?? [])])
    const declared = [...codes].map((code) => `${errors[code].status} ${code}`).toSorted()
    return { call, named: errorsOf.has(call) ? declared : named }
  })
  expect(described).toEqual(expected)
})

test('the API description names the credentials of each call, and the type of a reply that is no JSON', () => {
  const special: Record<string, string[]> = {
    anyone: [],
    'task token of the project': ['taskToken'],
    'signed in, or a task token of the project': ['session', 'taskToken'],
  }
  const securityOf = new Map(
    operations.map(({ call, security = [] }) => [call, security.flatMap(Object.keys)]),
  )
  for (const { endpoint, permission } of server.app.http.routeTable)
    expect(securityOf.get(callOf(endpoint)), endpoint.path).toEqual(special[permission] ?? ['session'])
  const typesOf = (id: string) => {
    const found = operations.find((operation) => operation.id === id)
    return [found?.requestBody, found?.responses?.['200']].map((part) => Object.keys(part?.content ?? {}))
  }
  expect(typesOf('edgeValues.export')).toEqual([[], ['text/csv']])
  expect(typesOf('audit.export')).toEqual([[], ['text/csv', 'application/x-ndjson']])
  expect(typesOf('rootExtensions.install')).toEqual([['application/gzip'], ['application/json']])
  expect(typesOf('emails.create')).toEqual([['application/json'], ['application/json']])
})

test('the API page lists every group and call of the description, without scripts', async () => {
  const page = await fetch(`${server.url}${apiBase}/docs`)
  expect(page.headers.get('content-type')).toContain('text/html')
  const html = await page.text()
  for (const { name } of document.tags ?? []) expect(html).toContain(`<h2 id="${name}">`)
  for (const { id } of operations) expect(html).toContain(`<section id="${id}">`)
  expect(html).not.toContain('<script')
})

/** `npm test` runs no tool. */
const findTool = (name: ThirdPartyToolName) => thirdPartyTool(name, { mayRun: sized(false, true) })

/** Returns a folder with the description, below the project. */
async function describedFolder(): Promise<string> {
  const folder = await mkdtemp(join(root, 'node_modules/.cache/pult-openapi-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
  return folder
}

test.for([
  { name: 'redocly', args: ['lint', 'openapi.json', '--extends', 'recommended', '--format', 'json'] },
  {
    name: 'spectral',
    args: ['lint', 'openapi.json', '--ruleset', 'ruleset.yaml', '--format', 'json', '--quiet'],
  },
] as const)(
  '$name finds nothing in the API description',
  {
    tags: ['long'],
  },
  async ({ name, args }, { skip }) => {
    const tool = await findTool(name)
    if ('reason' in tool) return skip(tool.reason)
    const folder = await describedFolder()
    await writeFile(join(folder, 'ruleset.yaml'), 'extends: spectral:oas\n')
    const { code, stdout, stderr } = await tool.run(args, { cwd: folder })
    const found = JSON.parse(stdout || JSON.stringify(stderr)) as { problems?: unknown }
    expect([code, found.problems ?? found]).toEqual([0, []])
  },
)

test.for([
  {
    name: 'openapi-typescript',
    args: ['openapi.json', '-o', 'client.ts'],
    file: 'client.ts',
    text: 'operations["emails.setDefault"]',
  },
  {
    name: 'hey-api',
    args: ['-i', 'openapi.json', '-o', 'client', '--silent'],
    file: 'client/sdk.gen.ts',
    text: 'export const emailsSetDefault =',
  },
] as const)(
  'the client of $name has the names of the contract and compiles in strict mode',
  {
    tags: ['long'],
  },
  async ({ name, args, file, text }, { skip }) => {
    const tool = await findTool(name)
    if ('reason' in tool) return skip(tool.reason)
    const folder = await describedFolder()
    const { code, stdout, stderr } = await tool.run(args, { cwd: folder })
    expect(code, stdout + stderr).toBe(0)
    expect(await readFile(join(folder, file), 'utf8')).toContain(text)
    const strict = [
      '--strict',
      '--noEmit',
      '--noUncheckedIndexedAccess',
      '--skipLibCheck',
      'false',
      '--types',
      '',
    ]
    const modules = [
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--lib',
      'es2022,dom,dom.iterable',
    ]
    const program = join(root, 'node_modules/.bin/tsc')
    expect(
      await outputOfFailure({ program, args: ['--ignoreConfig', ...strict, ...modules, join(folder, file)] }),
    ).toBeNull()
  },
)
