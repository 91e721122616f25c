import { useOpenDocument, usePageTitle, useProject } from '@pult/sdk'
import { useEffect, useState } from 'react'
import page from '../ProjectDetails.module.css'
import { texts } from '../project-details.texts.ts'
import { mayEdit } from '../rights.ts'
import { DangerZone } from './DangerZone.tsx'
import { ProjectExtensionSettings } from './ExtensionSettings.tsx'
import { ReadOnlySettings } from './ReadOnlySettings.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { Transfer } from './Transfer.tsx'

/** The editable settings of the project, or plain text for users who may not change them. */
export function SettingsTab() {
  const project = useProject()
  usePageTitle(texts.settings)
  const openDocument = useOpenDocument()
  const [isDeleted, setDeleted] = useState(false)
  useEffect(() => {
    // The console restarts without the project. Unsaved input belongs to the deleted project, so no question appears.
    if (isDeleted) openDocument('/')
  }, [isDeleted, openDocument])
  if (isDeleted) return null
  return (
    <div className={page.page} data-width="reading">
      {mayEdit(project) ? <SettingsForm project={project} /> : <ReadOnlySettings project={project} />}
      <ProjectExtensionSettings project={project} />
      {mayEdit(project) && <Transfer project={project} />}
      {mayEdit(project) && <DangerZone project={project} onDeleted={() => setDeleted(true)} />}
    </div>
  )
}
