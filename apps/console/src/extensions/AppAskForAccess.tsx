import type { AskForAccessProps } from '@pult/sdk'
import { useAppHost } from '@pult/sdk/host'
import { AskForAccess } from '#platform/access/AskForAccess.tsx'

/** Renders {@link AskForAccess} inside an app, for a role in its project. */
export function AppAskForAccess({ needs: role, subject }: AskForAccessProps) {
  const { project } = useAppHost()
  return project === null ? null : <AskForAccess projectId={project._id} needed={{ role, subject }} />
}
