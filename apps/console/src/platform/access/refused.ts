/** What was refused before home opened in its place (DEC-19), in the state of the navigation. */
export type Refused =
  | { kind: 'app'; appId: string; isOfProject: boolean }
  | { kind: 'root' }
  | { kind: 'project' }

/** Returns what the state of a navigation to home names as refused. */
export function refusedOf(state: unknown): Refused | null {
  return typeof state === 'object' && state !== null && 'refused' in state ? (state.refused as Refused) : null
}
