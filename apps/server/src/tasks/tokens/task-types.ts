/** Returns whether the types of a token, `extension/kind` or `extension/*`, include a task kind. */
export const isOfTypes = (type: string, types: readonly string[]): boolean =>
  types.some((one) => one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))))
