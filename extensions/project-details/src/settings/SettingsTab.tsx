import { usePageTitle, useProject } from '@pult/sdk'
import { Alert } from '@pult/sdk/ui'
import { useEffect, useState } from 'react'
import page from '../ProjectDetails.module.css'
import { texts } from '../project-details.texts.ts'
import { mayEdit } from '../rights.ts'
import { DangerZone } from './DangerZone.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { Transfer } from './Transfer.tsx'

/** What can be changed about the project, by those who may; others with the role read it. */
export function SettingsTab() {
  const project = useProject()
  usePageTitle(texts.settings)
  const [isDeleted, setDeleted] = useState(false)
  useEffect(() => {
    // The console starts anew without the project. What was typed into the form went with it, and is not asked about.
    if (isDeleted) location.assign('/')
  }, [isDeleted])
  if (isDeleted) return null
  return (
    <div className={page.page}>
      {!mayEdit(project) && <Alert tone="info">{texts.settingsReadOnly}</Alert>}
      <SettingsForm project={project} readOnly={!mayEdit(project)} />
      {mayEdit(project) && <Transfer project={project} />}
      {mayEdit(project) && <DangerZone project={project} onDeleted={() => setDeleted(true)} />}
    </div>
  )
}
