type Fields = Readonly<Record<string, unknown>>

/** Returns the detail of a change: the new values of the fields and, in `from`, their former values. */
export const changeDetail = (before: object, changes: object): Record<string, unknown> => ({
  ...changes,
  from: former(before as Fields, changes as Fields),
})

const former = (before: Fields, changes: Fields): Fields =>
  Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [
      name,
      isRecord(value) && isRecord(before[name]) ? former(before[name], value) : before[name],
    ]),
  )

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
