import { useCall, useChange, useLive, useReadAgain } from '@pult/sdk'
import { type BodyOf, extensionSettingsEndpoints, type Project } from '@pult/sdk/api'
import { SettingsFacts, SettingsForm, Waiting } from '@pult/sdk/resource'
import { DataCard } from '@pult/sdk/ui'
import { useLiveWithProject } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import { mayEdit } from '../rights.ts'

const { ofProject, changeProject } = extensionSettingsEndpoints

interface Changes extends BodyOf<typeof changeProject> {
  /** Id of the extension. */
  name: string
  revision: number | undefined
}

/** The settings of the extensions that the project uses. */
export function ProjectExtensionSettings({ project }: { project: Project }) {
  const { _id: projectId, ownerName } = project
  const { data, error, refetch } = useCall(ofProject, { params: { projectId } })
  // The form of an extension that was removed or switched off leaves the page.
  useLive('extensions', { touches: [ofProject] })
  useLiveWithProject()
  const { mutateAsync: change } = useChange(
    changeProject,
    ({ name, values, revision }: Changes) => ({ params: { projectId, name }, body: { values }, revision }),
    { touches: [ofProject] },
  )
  const readAgain = useReadAgain(ofProject)
  if (error !== null)
    return <Waiting failed={texts.extensionSettingsFailed} error={error} onRetry={() => void refetch()} />
  if (!mayEdit(project))
    return data?.items.map((settings) => (
      <DataCard
        key={settings._id}
        title={texts.settingsOf(settings.label)}
        flush
        state={{ kind: 'read-only', text: texts.changedByOwner(ownerName) }}
      >
        <SettingsFacts settings={settings} />
      </DataCard>
    ))
  return data?.items.map((settings) => (
    <section key={settings._id} aria-label={texts.settingsOf(settings.label)}>
      <h3>{texts.settingsOf(settings.label)}</h3>
      <SettingsForm
        settings={settings}
        place={`project ${projectId}`}
        update={changeProject}
        save={(values, revision) => change({ name: settings._id, values, revision })}
        onNewer={() => void readAgain()}
      />
    </section>
  ))
}
