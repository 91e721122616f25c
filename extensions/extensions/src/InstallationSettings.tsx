import { useApi } from '@pult/sdk'
import type { ExtensionSettings } from '@pult/sdk/api'
import { rootExtensionSettingsEndpoints } from '@pult/sdk/api/root'
import { SettingsForm } from '@pult/sdk/resource'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import styles from './extensions.module.css'
import { texts } from './extensions.texts.ts'

/** The settings of an extension for the installation. Renders nothing without settings. */
export function InstallationSettings({ extensionId, version }: { extensionId: string; version: string }) {
  const call = useApi()
  const client = useQueryClient()
  const params = { name: extensionId }
  const queryKey = ['extension-settings', extensionId, version]
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(rootExtensionSettingsEndpoints.ofInstallation, { params, signal }),
  })
  const show = (settings: ExtensionSettings) => client.setQueryData(queryKey, settings)
  if (data === undefined || data.fields.length === 0) return null
  return (
    <section aria-label={texts.settings}>
      <h3 className={styles.title}>{texts.settings}</h3>
      <SettingsForm
        settings={data}
        place="installation"
        update={rootExtensionSettingsEndpoints.changeInstallation}
        save={async (values, revision) => {
          const saved = await call(rootExtensionSettingsEndpoints.changeInstallation, {
            params,
            body: { values },
            ...(revision !== undefined && { revision }),
          })
          show(saved)
          return saved
        }}
        onNewer={show}
      />
    </section>
  )
}
