import * as z from 'zod/mini'
import { numberBetween, wholeNumber } from './collection.ts'
import { limits } from './limits.ts'
import { isWithinLength, machineText } from './text.ts'

/*
 * Commands that the configuration of an edge declares. The server and the agent check the values against the
 * declaration. Only the agent knows which program a command starts (decision record 165).
 */

/** Key of a command or a parameter in the configuration of an edge. */
export const edgeCommandKey = z.string().check(z.regex(/^[a-z][a-z0-9-]{0,63}$/))

/** One line of text, verbatim: it can be a path. PostgreSQL and environment variables cannot hold NUL, and PostgreSQL no unpaired surrogate. */
const lineRule = /^[^\p{Cc}\p{Cs}]*$/u
const line = (most: number) => z.string().check(z.maxLength(most), z.regex(lineRule))
const commandLabel = machineText(limits.labelMax, { min: 1 })
const bound = numberBetween(-1e15, 1e15)

const common = {
  key: edgeCommandKey,
  label: commandLabel,
}

/** One parameter with its bounds. Without a default, a value is required. */
const edgeParameter = z.discriminatedUnion('type', [
  z.object({
    ...common,
    type: z.literal('string'),
    maxLength: wholeNumber(1, limits.edgeParameterMax),
    default: z.optional(line(limits.edgeParameterMax)),
  }),
  z.object({
    ...common,
    type: z.literal('number'),
    min: bound,
    max: bound,
    /** Permits only whole numbers. */
    isWhole: z.optional(z.boolean()),
    default: z.optional(bound),
  }),
  z.object({ ...common, type: z.literal('boolean'), default: z.optional(z.boolean()) }),
  z.object({
    ...common,
    type: z.literal('choice'),
    options: z
      .array(line(limits.edgeParameterMax).check(z.minLength(1)))
      .check(z.minLength(1), z.maxLength(50)),
    default: z.optional(line(limits.edgeParameterMax)),
  }),
])
export type EdgeParameter = z.infer<typeof edgeParameter>

const hasOwnKeys = (value: readonly { key: string }[]) =>
  new Set(value.map(({ key }) => key)).size === value.length

/** A command as its edge declares it. */
export const edgeDeclaration = z.object({
  key: edgeCommandKey,
  label: commandLabel,
  parameters: z
    .array(edgeParameter)
    .check(z.maxLength(limits.edgeParametersMax), z.refine(hasOwnKeys, 'Must not repeat a key')),
})
export type EdgeDeclaration = z.infer<typeof edgeDeclaration>

/** All commands of one edge. */
export const edgeDeclarations = z
  .array(edgeDeclaration)
  .check(z.maxLength(limits.edgeCommandsMax), z.refine(hasOwnKeys, 'Must not repeat a key'))

/** The values of a command's parameters, by key. */
export const edgeArguments = z
  .record(edgeCommandKey, z.union([line(limits.edgeParameterMax), bound, z.boolean()]))
  .check(
    z.refine(
      (value) => Object.keys(value).length <= limits.edgeParametersMax,
      'Must not have more values than a command has parameters',
    ),
  )
export type EdgeArguments = z.infer<typeof edgeArguments>

/** Returns `{key, problem}` of the first parameter whose value the declaration rejects; undefined if it accepts all. */
export function refusedArgument(
  { parameters }: Pick<EdgeDeclaration, 'parameters'>,
  given: EdgeArguments,
): { key: string; problem: 'missing' | 'unknown' | 'outOfBounds' } | undefined {
  const known = new Map(parameters.map((parameter) => [parameter.key, parameter]))
  const unknown = Object.keys(given).find((key) => !known.has(key))
  if (unknown !== undefined) return { key: unknown, problem: 'unknown' }
  for (const parameter of parameters) {
    const { key } = parameter
    const value = Object.hasOwn(given, key) ? given[key] : undefined
    if (value === undefined) {
      if (parameter.default === undefined) return { key, problem: 'missing' }
    } else if (!isWithin(parameter, value)) return { key, problem: 'outOfBounds' }
  }
  return undefined
}

/** Returns whether a value has the type of a parameter and is within its bounds. */
export function isWithin(parameter: EdgeParameter, value: EdgeArguments[string]): boolean {
  switch (parameter.type) {
    case 'string':
      return typeof value === 'string' && isWithinLength(value, parameter.maxLength) && lineRule.test(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'choice':
      return typeof value === 'string' && parameter.options.includes(value)
    case 'number':
      return (
        typeof value === 'number' &&
        value >= parameter.min &&
        value <= parameter.max &&
        (parameter.isWhole !== true || Number.isInteger(value))
      )
  }
}
