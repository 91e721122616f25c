import type { z } from '@pult/contract'

/** A right value of each setting, by its path without numbers and keys. */
const examples: Record<string, string> = {
  instances: '[{"key": "player", "label": "Video player"}]',
  'instances.[]': '{"key": "player", "label": "Video player"}',
  'instances.[].key': '"player"',
  'instances.[].label': '"Video player"',
  'instances.[].restart': '["systemctl", "restart", "player.service"]',
  'instances.[].status': '["systemctl", "is-active", "--quiet", "player.service"]',
  'instances.[].run': '["/usr/local/bin/player", "--fullscreen"]',
  'instances.[].folder': '"/srv/player"',
  'instances.[].environment': '{"HALL": "North"}',
  'instances.[].memory': '512',
  'instances.[].unit': '"nginx.service"',
  environment: '{"HALL": "North"}',
  logs: '{"redact": ["password=\\\\S+"]}',
  'logs.redact': '["password=\\\\S+"]',
  commands: '{"reload": {"run": ["/usr/local/bin/playlist", "reload"]}}',
  'commands.*': '{"label": "Reload", "run": ["/usr/local/bin/playlist", "reload"]}',
  'commands.*.label': '"Reload the playlist"',
  'commands.*.run': '["/usr/local/bin/playlist", "reload"]',
  'commands.*.seconds': '120',
  'commands.*.parameters': '{"volume": {"type": "number", "min": 0, "max": 100}}',
  values: '{"port": 8091} or {"socket": "/run/pult/values.sock"}',
}

const kinds: Record<string, string> = {
  array: 'a list in [ ]',
  object: 'an object in { }',
  record: 'an object in { }',
  string: 'a text in double quotes',
  number: 'a number',
  boolean: 'true or false',
}

type Issue = NonNullable<ReturnType<z.ZodMiniType['safeParse']>['error']>['issues'][number]

/** Returns the mistakes of a configuration in one line, each with its setting, the mistake and an example. */
export function configFaults(issues: readonly Issue[], given: unknown): string {
  const lines = issues.flatMap(withoutUnions).map((issue) => {
    const example = exampleFor(issue.path)
    return `${placeOf(issue.path)} ${faultOf(issue, given)}${example === undefined ? '' : `, for example ${example}`}`
  })
  return [...new Set(lines)].join('; ')
}

/** Replaces an alternative by the mistakes of the form that was meant: the one whose fields are all known. */
function withoutUnions(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const meant = issue.errors.find((errors) =>
    errors.every(({ path, code }) => path.length > 0 && code !== 'unrecognized_keys'),
  )
  return meant === undefined
    ? [issue]
    : meant.map((each) => ({ ...each, path: [...issue.path, ...each.path] }))
}

const placeOf = (path: readonly PropertyKey[]) =>
  path.length === 0
    ? 'the whole file'
    : path
        .map((part, index) =>
          typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
        )
        .join('')

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce(
    (found, part) => (found instanceof Object ? (found as Record<PropertyKey, unknown>)[part] : undefined),
    value,
  )

function faultOf(issue: Issue, given: unknown): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return `has an unknown field ${issue.keys.join(', ')}`
    case 'invalid_type':
      return valueAt(given, issue.path) === undefined
        ? 'is missing'
        : `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'too_small':
      return Number(issue.minimum) === 1 ? 'must not be empty' : `must have at least ${issue.minimum}`
    case 'too_big':
      return `must have at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ' entries'}`
    case 'invalid_key':
      return 'has a name that is not allowed'
    case 'invalid_union':
      return 'has none of the possible forms'
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'not_multiple_of':
      return issue.message.startsWith('must ') ? issue.message : 'has a value that is not allowed'
  }
}

/** Returns the example of a setting, or of the one that contains it. */
function exampleFor(path: readonly PropertyKey[]): string | undefined {
  const names = path.map((part, index) => {
    if (typeof part === 'number') return '[]'
    return index === 1 && path[0] === 'commands' ? '*' : String(part)
  })
  for (let length = names.length; length > 0; length -= 1) {
    const example = examples[names.slice(0, length).join('.')]
    if (example !== undefined) return example
  }
  return undefined
}
