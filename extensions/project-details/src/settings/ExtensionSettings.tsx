import { useApi, useLiveQueries } from '@pult/sdk'
import { extensionSettingsEndpoints, type Project } from '@pult/sdk/api'
import { SettingsFacts, SettingsForm, Waiting } from '@pult/sdk/resource'
import { DataCard } from '@pult/sdk/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { texts } from '../project-details.texts.ts'
import { mayEdit } from '../rights.ts'

/** The settings of the extensions that the project uses. */
export function ProjectExtensionSettings({ project }: { project: Project }) {
  const { _id: projectId, products, ownerName } = project
  const call = useApi()
  const client = useQueryClient()
  const queryKey = ['project-details', projectId, 'extension-settings', products]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(extensionSettingsEndpoints.ofProject, { params: { projectId }, signal }),
  })
  // The form of an extension that was removed or switched off leaves the page.
  useLiveQueries('extensions', queryKey)
  const readAgain = () => void client.invalidateQueries({ queryKey })
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
        update={extensionSettingsEndpoints.changeProject}
        save={async (values, revision) => {
          const saved = await call(extensionSettingsEndpoints.changeProject, {
            params: { projectId, name: settings._id },
            body: { values },
            ...(revision !== undefined && { revision }),
          })
          readAgain()
          return saved
        }}
        onNewer={readAgain}
      />
    </section>
  ))
}
