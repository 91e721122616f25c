import { type AskForAccessProps, useAppHost } from './host.ts'

/**
 * Shows users without a permission the roles that include it, the person who grants them, and a button that requests
 * one. Renders nothing in a root app.
 *
 * @example <EmptyState title="No cues yet" action={<AskForAccess needs="cues:edit" subject="Adding a cue" />} />
 */
export function AskForAccess(props: AskForAccessProps) {
  const { AskForAccess: Drawn } = useAppHost()
  return <Drawn {...props} />
}
