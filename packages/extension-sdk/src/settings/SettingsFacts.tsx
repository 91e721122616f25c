import type { ExtensionSettings, SettingField } from '@pult/contract'
import { FactList } from '@pult/ui'
import styles from './SettingsFacts.module.css'
import { type SettingsTexts, useSettingsTexts } from './settings.texts.ts'

export interface SettingsFactsProps {
  /** The settings of an extension in one scope. */
  settings: ExtensionSettings
}

/**
 * Shows the values that an extension uses as plain text, for users who may not change its settings. For a secret, it
 * shows only whether one is stored.
 *
 * @example
 * <DataCard title={settings.label} flush state={{ kind: 'read-only', text: 'The owner changes this' }}>
 *   <SettingsFacts settings={settings} />
 * </DataCard>
 */
export function SettingsFacts({ settings: { fields } }: SettingsFactsProps) {
  const texts = useSettingsTexts()
  return (
    <FactList
      facts={fields.map((field) => [
        field.label,
        <>
          {usedText(field, texts)}
          {field.misfit !== null && (
            <p className={styles.misfit}>{texts.unusable(texts.reasons[field.misfit])}</p>
          )}
        </>,
      ])}
    />
  )
}

/** Formats the value that the extension receives. */
function usedText({ type, misfit, value, isSet, options, ...field }: SettingField, texts: SettingsTexts) {
  if (type === 'secret') return isSet && misfit === null ? texts.secretStored : texts.noValue
  const used = misfit === null ? (value ?? field.default) : field.default
  if (used === null || used === '') return texts.noValue
  if (typeof used === 'boolean') return used ? texts.switchedOn : texts.switchedOff
  return options?.find(({ id }) => id === used)?.label ?? String(used)
}
