import { parseSync } from 'rolldown/utils'

/** A node of a syntax tree. */
export interface Node {
  type: string
  start: number
  end: number
  [property: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Yields every node of a file with its parent, outer nodes first. */
export function* nodesOf(path: string, text: string): Generator<{ node: Node; parent: Node }> {
  const program = parseSync(path, text).program as unknown as Node
  const waiting: { node: Node; parent: Node }[] = [{ node: program, parent: program }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next
    const { node } = next
    for (const value of Object.values(node).toReversed()) {
      const children: unknown[] = Array.isArray(value) ? value.toReversed() : [value]
      waiting.push(...children.filter(isNode).map((child) => ({ node: child, parent: node })))
    }
  }
}

export const identifier = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Identifier' ? String(node['name']) : undefined

export const literal = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined

/** Returns the properties of an object literal by name; undefined for other nodes. */
export function propertiesOf(node: unknown): Map<string, unknown> | undefined {
  if (!isNode(node)) return undefined
  if (/^TS(?:As|Satisfies)Expression$/.test(node.type)) return propertiesOf(node['expression'])
  if (node.type !== 'ObjectExpression') return undefined
  const properties = (node['properties'] as Node[]).filter(({ type }) => type === 'Property')
  return new Map(properties.map(({ key, value }) => [identifier(key) ?? literal(key) ?? '', value] as const))
}

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length
