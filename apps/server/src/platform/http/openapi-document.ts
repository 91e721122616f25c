/*
 * The parts of the API description that do not follow from a route: its head, the names and groups of the contract,
 * and the calls whose bodies are not JSON.
 */

import {
  apiBase,
  commonErrorCodes,
  type ErrorCode,
  errors,
  installedExtension,
  storedFile,
} from '@pult/contract'
import * as z from 'zod'
import { apiGroups } from './openapi-groups.ts'
import { type Credential, errorReply } from './route.ts'

/** The installation, as its API description names it. */
export interface ApiInstallation {
  version: string
  /** `PULT_URL`. */
  publicUrl: string
  /** `CONTACT_URL`, a page or `mailto:`. */
  contactUrl: string | null
}

interface Content {
  schema?: unknown
}

export interface ApiOperation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean; schema?: unknown }[]
  requestBody?: { required?: boolean; content?: Record<string, Content> }
  responses?: Record<string, { description?: string; content?: Record<string, Content> }>
}

/** The parts of an OpenAPI document that this server reads and writes. */
export interface ApiDocument {
  info: { title: string; version: string; description?: string }
  tags?: { name: string; description?: string }[]
  paths?: Record<string, Record<string, ApiOperation>>
  components?: object
}

const credentials: Record<Credential, { type: 'http'; scheme: 'bearer'; description: string }> = {
  session: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of a session. `login.login` and `passkeyLogin.verify` return it.',
  },
  taskToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The token of a service that executes the tasks of one project. `taskTokens.create` returns it.',
  },
  metricsToken: { type: 'http', scheme: 'bearer', description: 'The value of the setting METRICS_TOKEN.' },
}

export const head = ({ version, publicUrl, contactUrl }: ApiInstallation) => ({
  openapi: '3.1.0' as const,
  info: {
    title: 'Pult',
    version,
    description:
      'Every call of the console and of programs. An error answers `{code, message}`; programs branch on the code.',
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'The operator of this installation', ...contactOf(contactUrl ?? publicUrl) },
  },
  servers: [{ url: serverUrl(publicUrl) }],
  tags: apiGroups.map(({ name, description }) => ({ name, description })),
  components: { securitySchemes: credentials },
})

function contactOf(address: string): { url: string } | { email: string } {
  const { protocol, pathname } = new URL(address)
  return protocol === 'mailto:' ? { email: decodeURIComponent(pathname) } : { url: address }
}

/** Without PULT_URL the server is reached at the address of the document; `localhost` names any machine. */
const serverUrl = (publicUrl: string) => (new URL(publicUrl).hostname === 'localhost' ? '/' : publicUrl)

/** A call that the contract does not declare, because a body of it is not JSON. */
interface OtherCall {
  operationId: string
  method: string
  path: string
  /** No credentials: the secret address is the authorisation, or the call needs none. */
  credentials: (readonly Credential[])[]
  body?: Record<string, Content>
  reply: Record<string, Content>
  errors: readonly ErrorCode[]
}

const json = (schema: z.core.$ZodType) => ({ 'application/json': { schema: jsonSchema(schema) } })
const bytes = { type: 'string', format: 'binary' }

const otherCalls: readonly OtherCall[] = [
  {
    operationId: 'system.health',
    method: 'get',
    path: '/health',
    credentials: [[], ['metricsToken']],
    reply: { 'application/json': { schema: { type: 'object' } } },
    errors: ['UNAUTHENTICATED'],
  },
  {
    operationId: 'system.metrics',
    method: 'get',
    path: '/metrics',
    credentials: [[], ['metricsToken']],
    reply: { 'text/plain': { schema: { type: 'string' } } },
    errors: ['UNAUTHENTICATED'],
  },
  {
    operationId: 'files.upload',
    method: 'put',
    path: '/uploads/{ticket}',
    credentials: [],
    body: { '*/*': { schema: bytes } },
    reply: json(storedFile),
    errors: [
      'TICKET_NOT_VALID',
      'UPLOAD_RUNNING',
      'UPLOAD_INCOMPLETE',
      'FILE_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'CONTENT_MISMATCH',
      'IMAGE_TOO_LARGE',
    ],
  },
  {
    operationId: 'files.content',
    method: 'get',
    path: '/files/{fileId}/content',
    credentials: [],
    reply: { '*/*': { schema: bytes } },
    errors: ['NOT_FOUND'],
  },
  {
    operationId: 'rootExtensions.install',
    method: 'put',
    path: '/apps/root/extensions',
    credentials: [['session']],
    body: { 'application/gzip': { schema: bytes } },
    reply: json(installedExtension),
    errors: [
      'UNAUTHENTICATED',
      'FORBIDDEN',
      'RECENT_SIGN_IN_NEEDED',
      'BODY_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'EXTENSION_BROKEN',
    ],
  },
]

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

function jsonSchema(schema: z.core.$ZodType) {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  return described
}

/** Adds to the description of the routes what the contract declares besides their schemas. */
export function completed(document: ApiDocument): ApiDocument {
  const operation = (method: string, path: string) =>
    document.paths?.[apiBase + path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]

  for (const { name, endpoints } of apiGroups) {
    for (const [key, endpoint] of Object.entries(endpoints)) {
      const found = operation(endpoint.method, endpoint.path)
      if (found === undefined) continue
      const schema = found.responses?.['200']?.content?.['application/json']?.schema
      const content = Object.fromEntries(endpoint.replyTypes.map((type) => [type, { schema }]))
      Object.assign(found, {
        operationId: `${name}.${key}`,
        tags: [name],
        responses: responsesOf(content, endpoint.errors),
      })
      if (found.requestBody !== undefined && endpoint.body !== undefined) found.requestBody.required = true
    }
  }
  for (const { operationId, method, path, credentials: needed, body, reply, errors: codes } of otherCalls) {
    const found = operation(method, path)
    if (found === undefined) continue
    Object.assign(found, {
      operationId,
      tags: [operationId.split('.', 1)[0]],
      security: needed.map((names) => Object.fromEntries(names.map((name) => [name, []]))),
      ...(body !== undefined && { requestBody: { required: true, content: body } }),
      responses: responsesOf(reply, codes),
    })
  }
  document.components = { ...document.components, schemas: { Error: jsonSchema(errorReply) } }
  return document
}

/** The reply and the errors by status. Every call validates its input; the errors of every call are the default. */
function responsesOf(
  content: Record<string, Content>,
  codes: readonly ErrorCode[],
): ApiOperation['responses'] & object {
  const byStatus = Map.groupBy(
    new Set<ErrorCode>(['VALIDATION_FAILED', ...codes]),
    (code) => errors[code].status,
  )
  const refusals = [...byStatus].map(
    ([status, named]) => [status, { description: named.join(', '), content: errorContent }] as const,
  )
  return {
    '200': { description: 'The reply', content },
    ...Object.fromEntries(refusals),
    default: { description: commonErrorCodes.join(', '), content: errorContent },
  }
}
