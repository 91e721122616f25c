/** The refused page in whose place home opened (DEC-19), stored in the state of the navigation. */
export type Refused =
  | { kind: 'app'; appId: string; isOfProject: boolean }
  | { kind: 'root' }
  | { kind: 'project' }

/** Reads the refused page from the state of a navigation to home. */
export function refusedOf(state: unknown): Refused | null {
  return typeof state === 'object' && state !== null && 'refused' in state ? (state.refused as Refused) : null
}
