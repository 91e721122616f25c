import { type AskForAccessProps, useAppHost } from './host.ts'

/**
 * For users who may not do what a place offers: the roles of the project that allow it, the person who gives them, and a
 * button that asks for one. Nothing in a root app.
 *
 * @example <EmptyState title="No cues yet" action={<AskForAccess needs="cues:edit" subject="Adding a cue" />} />
 */
export function AskForAccess(props: AskForAccessProps) {
  const { AskForAccess: Drawn } = useAppHost()
  return <Drawn {...props} />
}
