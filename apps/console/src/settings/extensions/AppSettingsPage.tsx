import { ownExtensionSettingsEndpoints } from '@pult/contract'
import { Loaded, SettingsForm } from '@pult/sdk/resource'
import { Card, EmptyState, PageHead } from '@pult/ui'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { texts } from '../settings.texts.ts'
import { ownAppSettingsKey, useOwnAppSettings, useProjectQuery } from './own-app-settings.queries.ts'

/** The user's own settings of extensions. */
export function AppSettingsPage() {
  const { _id } = useCredentials()
  const query = useProjectQuery()
  const client = useQueryClient()
  const readAgain = () => void client.invalidateQueries({ queryKey: ownAppSettingsKey })
  return (
    <>
      <PageHead title={texts.apps} />
      <Loaded query={useOwnAppSettings()} failed={texts.appsFailed}>
        {(apps) =>
          apps.length === 0 ? (
            <Card>
              <EmptyState title={texts.noAppSettings} text="" />
            </Card>
          ) : (
            apps.map((settings) => (
              <section key={settings._id} aria-label={texts.settingsOf(settings.label)}>
                <h2>{settings.label}</h2>
                <SettingsForm
                  settings={settings}
                  place={`person ${_id}`}
                  update={ownExtensionSettingsEndpoints.changePerson}
                  save={async (values, revision) => {
                    const saved = await api(ownExtensionSettingsEndpoints.changePerson, {
                      params: { name: settings._id },
                      query,
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
          )
        }
      </Loaded>
    </>
  )
}
