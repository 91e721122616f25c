import { IconButton, PageHead } from '@pult/ui'
import PictureInPicture from 'lucide-react/icons/picture-in-picture-2'
import { useState } from 'react'
import { Navigate, useLocation, useNavigate, useParams } from 'react-router'
import type { Refused } from '#platform/access/refused.ts'
import { projectOfAddress, withoutProject } from '#platform/project-address.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { useStore } from '#platform/use-store.ts'
import type { WindowRequest } from '#platform/window-requests.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { AppView } from './AppView.tsx'
import { mayOpenApp } from './app-access.ts'
import { texts } from './extensions.texts.ts'
import { apps, findApp } from './registry.ts'

/** An app as a page: `/app/{appId}` and everything below it. */
export function AppPage() {
  const { appId = '', '*': path = '' } = useParams()
  const app = findApp(useStore(apps), appId)
  const credentials = useCredentials()
  const project = useActiveProject()
  if (app === undefined || !mayOpenApp(app.manifest, credentials, project)) return <NoAccess appId={appId} />
  // Only pages have addresses. The address of a window app opens it over the home page.
  if (app.manifest.container === 'window')
    return <Navigate to="/" replace state={{ window: { appId, path } satisfies WindowRequest }} />
  return (
    // An app is remounted in another project, so that no typed input carries over.
    <AppView
      key={`${appId} ${project?._id}`}
      app={app}
      header={<PageHead title={app.manifest.label} actions={<ToWindow appId={appId} />} />}
    />
  )
}

/** DEC-19: opens home, which shows the reason (see `Refused`). */
function NoAccess({ appId }: { appId: string }) {
  const project = useActiveProject()
  // Only URLs of project apps name a project, and this URL is about to change.
  const [isOfProject] = useState(() => projectOfAddress() !== null)
  // Without an active project, none of its apps can open, and the page is about to reload.
  const refused: Refused =
    isOfProject && project === null ? { kind: 'project' } : { kind: 'app', appId, isOfProject }
  return <Navigate to="/" replace state={{ refused }} />
}

/** Leaves the page, which may ask about unsaved input, and opens the same page of the app in a window. */
function ToWindow({ appId }: { appId: string }) {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const path = pathname.slice(`/app/${appId}/`.length) + withoutProject(search)
  const open = () => void navigate('/', { state: { window: { appId, path } satisfies WindowRequest } })
  return (
    <IconButton
      label={texts.openThisInWindow}
      icon={<PictureInPicture aria-hidden="true" />}
      onClick={open}
    />
  )
}
