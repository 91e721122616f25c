import type { Project } from '@pult/contract'
import { Alert } from '@pult/ui'
import { useParams } from 'react-router'
import { texts } from './extensions.texts.ts'
import { GuestTab } from './GuestTab.tsx'
import type { PageTab } from './page-tabs.ts'

/** The page of a tab that an app adds to the project's page. */
export function ProjectTab({ tabs, project }: { tabs: readonly PageTab[]; project: Project }) {
  const { appId = '', tabId = '' } = useParams()
  const open = tabs.find(({ key }) => key === `${appId}/${tabId}`)
  if (open === undefined) return <Alert tone="warning" title={texts.noTab} />
  return <GuestTab key={open.key} app={open.app} tab={open.tab} id={project._id} />
}
