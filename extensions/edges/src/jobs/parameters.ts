import { type EdgeParameter, firstCharacters, numberIn } from '@pult/sdk/api'

/** Value of a parameter's field. */
export type Typed = string | boolean

/** Returns the initial value of a field. */
export function typedOf(parameter: EdgeParameter): Typed {
  if (parameter.type === 'boolean') return parameter.default ?? false
  return parameter.default === undefined ? '' : String(parameter.default)
}

/** Parses the value of a field; undefined if the parameter does not accept it. */
export function valueOf(parameter: EdgeParameter, typed: Typed): string | number | boolean | undefined {
  switch (parameter.type) {
    case 'boolean':
      return typed === true
    case 'choice':
      return parameter.options.find((option) => option === typed)
    case 'string':
      return typed === '' ||
        typeof typed !== 'string' ||
        firstCharacters(typed, parameter.maxLength) !== typed
        ? undefined
        : typed
    case 'number': {
      const value = numberIn(String(typed))
      const isWithin = value >= parameter.min && value <= parameter.max
      return isWithin && (parameter.isWhole !== true || Number.isInteger(value)) ? value : undefined
    }
  }
}
