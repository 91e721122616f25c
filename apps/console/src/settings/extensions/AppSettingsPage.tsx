import { ownExtensionSettingsEndpoints } from '@pult/contract'
import { useReadAgain } from '@pult/sdk'
import { Loaded, SettingsForm } from '@pult/sdk/resource'
import { Card, EmptyState, PageHead } from '@pult/ui'
import { api } from '#platform/api.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { texts } from '../settings.texts.ts'
import { useOwnAppSettings, useProjectQuery } from './own-app-settings.queries.ts'

/** The user's own settings of extensions. */
export function AppSettingsPage() {
  const { _id } = useCredentials()
  const query = useProjectQuery()
  const readAgain = useReadAgain(ownExtensionSettingsEndpoints.ofPerson)
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
                  // Not a change of the query cache, which would retain secrets for a while.
                  save={async (values, revision) => {
                    const saved = await api(ownExtensionSettingsEndpoints.changePerson, {
                      params: { name: settings._id },
                      query,
                      body: { values },
                      ...(revision !== undefined && { revision }),
                    })
                    void readAgain()
                    return saved
                  }}
                  onNewer={() => void readAgain()}
                />
              </section>
            ))
          )
        }
      </Loaded>
    </>
  )
}
