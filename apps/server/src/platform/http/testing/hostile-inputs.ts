import { apiBase, type Endpoint } from '@pult/contract'
import fc from 'fast-check'
import * as z from 'zod'

/** One request of a hostile client. */
export interface HostileCall {
  endpoint: Endpoint
  /** With its query. */
  url: string
  headers: Record<string, string>
  body: string | Buffer | undefined
}

/** Real values by the name of a parameter or field; the path distinguishes parameters such as `itemId`. */
export type RealValues = (name: string, path: string) => unknown

/** Percent-encoded, for ids and parameters of queries. */
const texts = [
  '',
  '%20',
  '0',
  '-1',
  '1e400',
  'null',
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%F0%9F%98%80',
  '%E2%80%AE',
  '..%2F..%2Fetc%2Fpasswd',
  "'%3B%20drop%20table%20person%3B%20--",
  '%25s%25n',
  '*',
  '__proto__',
  'constructor',
  '-'.repeat(36),
  '018f0000-0000-7000-8000-000000000000',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '99999999999999999999',
  '9999-99-99T99:99:99.999Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999Z',
  'x'.repeat(200),
  'x'.repeat(5000),
]

/** As JSON, which can express more than JavaScript values. */
const values = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e308',
  '1e400',
  '9007199254740993',
  '2147483648',
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\u202e\\u2028"',
  '"😀"',
  '"\'; drop table person; --"',
  '"../../etc/passwd"',
  '"<script>alert(1)</script>"',
  '"__proto__"',
  '"constructor"',
  '"infinity"',
  '"9999-99-99"',
  '"018f0000-0000-7000-8000-000000000000"',
  `"${'-'.repeat(36)}"`,
  `"${'x'.repeat(10_000)}"`,
  '[]',
  '{}',
  '[null]',
  '{"__proto__":{"isRoot":true}}',
  `[${Array.from({ length: 1000 }, () => '"a"').join()}]`,
  `${'['.repeat(100)}${']'.repeat(100)}`,
]

const bodies: (string | Buffer)[] = [
  '',
  ' ',
  '{',
  'null',
  '[]',
  '"text"',
  '0',
  'true',
  'NaN',
  '{}{}',
  '{"a":1,"a":2}',
  '{"__proto__":{"isRoot":true}}',
  '{"constructor":{"prototype":{"isRoot":true}}}',
  '\u0000',
  '\ufeff{}',
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  '['.repeat(5000),
  `{"a":"${'x'.repeat(70_000)}"}`,
]

const heads: Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': ';' },
  { 'content-encoding': 'gzip' },
  { 'content-range': 'bytes 5-1/9' },
  { range: 'bytes=9-1,-,5-' },
  { 'if-match': '"x", W/"1"' },
  { 'if-match': '999999999' },
  { 'if-none-match': '*' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'idempotency-key': 'again' },
  { 'accept-language': 'de-DE;q=x, *;;, \u00ff' },
  { accept: 'application/xml' },
  { authorization: 'Bearer' },
  { authorization: `Bearer ${'x'.repeat(4000)}` },
  { authorization: 'Basic cm9vdDpyb290' },
  { 'x-forwarded-for': "'; --, ::ffff:999.1.1.1, [::1]:80" },
  { 'x-pult-device': 'x'.repeat(43) },
  { traceparent: '00-zz-00-01' },
  { origin: 'null' },
  { 'user-agent': 'x'.repeat(4000) },
]

/** Returns the hostile calls of a route: each changes one part of a request that is otherwise valid. */
export function hostileCalls(endpoint: Endpoint, real: RealValues): fc.Arbitrary<HostileCall> {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const urlWith = (changed?: string, text = '') =>
    apiBase +
    endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
      name === changed ? text : encodeURIComponent(String(real(name, endpoint.path))),
    )
  const takesBody = endpoint.method !== 'GET'
  const realBodies = takesBody ? examplesOf(endpoint.body, real, endpoint.path) : []
  const realBody = realBodies[0] === undefined ? undefined : JSON.stringify(realBodies[0])
  const json = { 'content-type': 'application/json' }
  const call = (changes: Partial<HostileCall>): HostileCall => ({
    endpoint,
    url: urlWith(),
    headers: takesBody ? json : {},
    body: takesBody ? (realBody ?? '{}') : undefined,
    ...changes,
  })
  const queries = Object.keys(propertiesOf(schemaOf(endpoint.query)))
  const realQuery = (examplesOf(endpoint.query, real, endpoint.path)[0] ?? {}) as Record<string, unknown>
  const groups = [
    [call({}), ...realBodies.map((body) => call({ body: JSON.stringify(body) }))],
    names.flatMap((name) => texts.map((text) => call({ url: urlWith(name, text) }))),
    [...queries, 'unknown'].flatMap((name) =>
      texts.map((text) => {
        const rest = Object.entries(realQuery).filter(([other]) => other !== name)
        const known = rest.map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`)
        return call({ url: `${urlWith()}?${[...known, `${name}=${text}`].join('&')}` })
      }),
    ),
    takesBody ? bodies.map((body) => call({ body })) : [],
    heads.map((head) => call({ headers: { ...(takesBody && json), ...head } })),
    realBodies.flatMap((body) =>
      changedFields(body).flatMap((textWith) => values.map((value) => call({ body: textWith(value) }))),
    ),
  ]
  return fc.oneof(...groups.filter(({ length }) => length > 0).map((group) => fc.constantFrom(...group)))
}

type JsonSchema = z.core.JSONSchema.JSONSchema

const schemaOf = (schema: Endpoint['body']): JsonSchema | undefined =>
  schema && (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema)

const propertiesOf = (schema: JsonSchema | undefined) =>
  (schema?.properties ?? {}) as Record<string, JsonSchema>

/** Returns one value for each variant of a schema. */
function examplesOf(schema: Endpoint['body'], real: RealValues, path: string): unknown[] {
  const root = schemaOf(schema)
  if (root === undefined) return []
  const example = (part: JsonSchema, name: string): unknown => {
    const known = real(name, path)
    if (known !== undefined) return known
    const variant = part.const ?? part.enum?.[0]
    if (variant !== undefined) return variant
    const choice = part.oneOf?.[0] ?? part.anyOf?.[0]
    if (choice !== undefined) return example(choice, name)
    switch (String(Array.isArray(part.type) ? part.type[0] : part.type)) {
      case 'object':
        return Object.fromEntries(
          Object.entries(propertiesOf(part)).map(([key, value]) => [key, example(value, key)]),
        )
      case 'array':
        return [example((part.items ?? {}) as JsonSchema, name)]
      case 'integer':
      case 'number':
        return part.minimum ?? 1
      case 'boolean':
        return true
      default:
        return 'a'.repeat(Math.max(part.minLength ?? 1, 1))
    }
  }
  const variants = root.oneOf ?? root.anyOf ?? [root]
  return variants.map((variant) => example(variant, ''))
}

const mark = '\u0001'

/** Returns, for each field of a body at any depth, a function that replaces its value by JSON. */
function changedFields(body: unknown): ((json: string) => string)[] {
  const withMark = (value: unknown): unknown[] => {
    const inside =
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, part]) =>
            withMark(part).map((changed) =>
              Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed },
            ),
          )
        : []
    return [mark, ...inside]
  }
  const changed =
    typeof body === 'object' && body !== null ? [...withMark(body).slice(1), { ...body, unknown: mark }] : []
  return changed.map((whole) => {
    const text = JSON.stringify(whole)
    return (json) => text.replace(JSON.stringify(mark), () => json)
  })
}
