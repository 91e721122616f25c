import { IconButton, PageHeader } from '@pult/ui'
import PictureInPicture from 'lucide-react/icons/picture-in-picture-2'
import { useEffect } from 'react'
import { Navigate, useLocation, useNavigate, useParams } from 'react-router'
import { notify } from '#platform/notify.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { useStore } from '#platform/use-store.ts'
import type { WindowWish } from '#platform/window-wishes.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { AppView } from './AppView.tsx'
import { mayOpenApp } from './app-access.ts'
import { texts } from './extensions.texts.ts'
import { apps, findApp } from './registry.ts'

/** An app as a page: `/app/{appId}` and what is below. */
export function AppPage() {
  const { appId = '', '*': path = '' } = useParams()
  const app = findApp(useStore(apps), appId)
  const credentials = useCredentials()
  const project = useActiveProject()
  if (app === undefined || !mayOpenApp(app.manifest, credentials, project))
    return <NoAccess appId={appId} hasProject={project !== null} />
  // Only pages have addresses: that of a window opens it over the home page.
  if (app.manifest.container === 'window')
    return <Navigate to="/" replace state={{ window: { appId, path } satisfies WindowWish }} />
  return (
    // Without its project an app begins anew in the next one: nothing that was typed goes there.
    <AppView
      key={`${appId} ${project?._id}`}
      app={app}
      header={<PageHeader title={app.manifest.label} actions={<ToWindow appId={appId} />} />}
    />
  )
}

/** An app that is not there and one that the person may not open are the same to them. */
function NoAccess({ appId, hasProject }: { appId: string; hasProject: boolean }) {
  useEffect(() => notify.warning(texts.noAccess, texts.noAccessText(appId, hasProject)), [appId, hasProject])
  return <Navigate to="/" replace />
}

/** Leaves the page, which may ask about what is not saved, and goes on at the same place in a window. */
function ToWindow({ appId }: { appId: string }) {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const path = pathname.slice(`/app/${appId}/`.length) + search
  const open = () => void navigate('/', { state: { window: { appId, path } satisfies WindowWish } })
  return (
    <IconButton
      label={texts.openThisInWindow}
      icon={<PictureInPicture aria-hidden="true" />}
      onClick={open}
    />
  )
}
