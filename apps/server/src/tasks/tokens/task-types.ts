/** Whether a token that says `extension/kind` or `extension/*` is good for a kind of task. */
export const isOfTypes = (type: string, types: readonly string[]): boolean =>
  types.some((one) => one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))))
