import type { AskForAccessProps } from '@pult/sdk'
import { useAppHost } from '@pult/sdk/host'
import { AskForAccess } from '#platform/access/AskForAccess.tsx'

/** The same inside an app, about a role of its project. */
export function AppAskForAccess({ needs: role, subject }: AskForAccessProps) {
  const { project } = useAppHost()
  return project === null ? null : <AskForAccess projectId={project._id} needed={{ role, subject }} />
}
