import type { Endpoint, ExtensionSettings, SettingField, SettingValue } from '@pult/contract'
import { useRef } from 'react'
import { EditForm } from '../resource/EditForm.tsx'
import { SettingControl } from './SettingControl.tsx'
import { cleanValues, problemsOf, textIn, valuesOf } from './setting-values.ts'
import { useSettingsTexts } from './settings.texts.ts'

export interface SettingsFormProps {
  /** The settings of an extension in one scope. */
  settings: ExtensionSettings
  /** Scope of the settings, which identifies the draft: `project {id}`. */
  place: string
  /** The endpoint that `save` calls. */
  update: Endpoint
  /** Sends the changes; null removes a stored value. */
  save: (
    values: Record<string, SettingValue | null>,
    revision: number | undefined,
  ) => Promise<ExtensionSettings>
  /** Called with a newer version that another user has saved. */
  onNewer: (settings: ExtensionSettings) => void
}

/**
 * Renders the form for the settings that an extension declares. Invalid stored values are shown with the reason. Users
 * who may not change them see {@link SettingsFacts}.
 *
 * @example
 * <SettingsForm settings={settings} place={`project ${projectId}`} update={endpoint} save={save} onNewer={show} />
 */
export function SettingsForm({ settings, place, update, save, onNewer }: SettingsFormProps) {
  const texts = useSettingsTexts()
  const { fields } = settings
  /** Clear the fields of secrets after saving, because the server does not return their values. */
  const clearers = useRef(new Map<string, () => void>())
  const textOf = (value: unknown) => textIn(value) || texts.noValue
  return (
    <EditForm
      name={`settings ${place} ${settings._id}`}
      item={settings}
      valuesOf={valuesOf}
      clean={(values) => cleanValues(fields, values)}
      problemsOf={(values) => problemsOf(fields, values, texts)}
      fieldLabels={Object.fromEntries(fields.map(({ id, label }) => [id, label]))}
      textOf={textOf}
      renderFields={(form) =>
        fields.map((field: SettingField) => (
          <SettingControl
            key={field.id}
            setting={field}
            field={form.field(field.id)}
            clearers={clearers.current}
          />
        ))
      }
      update={update}
      save={async (changes, revision) => {
        const saved = await save(changes as Record<string, SettingValue | null>, revision)
        for (const id of Object.keys(changes)) clearers.current.get(id)?.()
        return saved
      }}
      onNewer={onNewer}
      saved={texts.saved(settings.label)}
    />
  )
}
