import type { Project } from '@pult/contract'
import { useCredentials } from '#platform/use-credentials.ts'
import { texts } from './access.texts.ts'
import { holdsAllRoles } from './holds-all-roles.ts'
import { RefusalNotice } from './RefusalNotice.tsx'
import type { Refused } from './refused.ts'

interface HomeRefusalProps {
  refused: Refused
  /** The name of the refused app. */
  label: string
  /** The active project. */
  project: Pick<Project, '_id' | 'owner'> | null | undefined
  onClose: () => void
}

/** The refusal of an app, of the root page or of a project. */
export function HomeRefusal({ refused, label, project, onClose }: HomeRefusalProps) {
  const credentials = useCredentials()
  const projectId = project?._id
  if (refused.kind === 'project')
    return (
      <RefusalNotice
        title={texts.noProject}
        text={texts.noProjectText(credentials.email)}
        projectId={undefined}
        of={{}}
        subject=""
        onClose={onClose}
      />
    )
  if (refused.kind === 'root')
    return (
      <RefusalNotice
        title={texts.noPage}
        text={texts.noRoot}
        projectId={undefined}
        of={{}}
        subject=""
        otherwise="root"
        onClose={onClose}
      />
    )
  const { appId, isOfProject } = refused
  if (holdsAllRoles(credentials, isOfProject ? project : null))
    return (
      <RefusalNotice
        title={texts.appIsOff(label)}
        text={texts.appIsOffText(isOfProject)}
        projectId={undefined}
        of={{}}
        subject=""
        onClose={onClose}
      />
    )
  return (
    <RefusalNotice
      title={texts.noApp}
      text={texts.noAppText(label, isOfProject)}
      projectId={projectId}
      of={{ app: appId }}
      subject={label}
      // Without a project in the URL, the app may be a root app. The console does not know the root apps of other
      // users.
      otherwise={isOfProject ? undefined : projectId === undefined ? 'project' : 'administrators'}
      onClose={onClose}
    />
  )
}
