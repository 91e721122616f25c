import type { EdgeParameter } from '@pult/sdk/api'

/** A value of a parameter as a field holds it. */
export type Typed = string | boolean

/** What a field shows at first. */
export function typedOf(parameter: EdgeParameter): Typed {
  if (parameter.type === 'boolean') return parameter.default ?? false
  return parameter.default === undefined ? '' : String(parameter.default)
}

/** The value that a field means; undefined if the parameter does not accept it. */
export function valueOf(parameter: EdgeParameter, typed: Typed): string | number | boolean | undefined {
  switch (parameter.type) {
    case 'boolean':
      return typed === true
    case 'choice':
      return parameter.options.find((option) => option === typed)
    case 'string':
      return typed === '' || typeof typed !== 'string' || typed.length > parameter.maxLength
        ? undefined
        : typed
    case 'number': {
      const text = String(typed).trim().replace(',', '.')
      const value = text === '' ? Number.NaN : Number(text)
      const isWithin = value >= parameter.min && value <= parameter.max
      return isWithin && (parameter.isWhole !== true || Number.isInteger(value)) ? value : undefined
    }
  }
}
