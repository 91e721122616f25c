import { useCall, useChange, useReadAgain } from '@pult/sdk'
import type { BodyOf } from '@pult/sdk/api'
import { rootExtensionSettingsEndpoints } from '@pult/sdk/api/root'
import { SettingsForm } from '@pult/sdk/resource'
import styles from './extensions.module.css'
import { texts } from './extensions.texts.ts'

const { ofInstallation, changeInstallation } = rootExtensionSettingsEndpoints

interface Changes extends BodyOf<typeof changeInstallation> {
  revision: number | undefined
}

/** The settings of an extension for the installation. Renders nothing without settings. */
export function InstallationSettings({ extensionId }: { extensionId: string }) {
  const params = { name: extensionId }
  const { data } = useCall(ofInstallation, { params })
  const { mutateAsync: change } = useChange(
    changeInstallation,
    ({ values, revision }: Changes) => ({ params, body: { values }, revision }),
    { touches: [ofInstallation] },
  )
  const readAgain = useReadAgain(ofInstallation)
  if (data === undefined || data.fields.length === 0) return null
  return (
    <section aria-label={texts.settings}>
      <h3 className={styles.title}>{texts.settings}</h3>
      <SettingsForm
        settings={data}
        place="installation"
        update={changeInstallation}
        save={(values, revision) => change({ values, revision })}
        onNewer={() => void readAgain()}
      />
    </section>
  )
}
