import { Card, PageHead } from '@pult/ui'
import Keyboard from 'lucide-react/icons/keyboard'
import KeyboardOff from 'lucide-react/icons/keyboard-off'
import Moon from 'lucide-react/icons/moon'
import Rows2 from 'lucide-react/icons/rows-2'
import Rows4 from 'lucide-react/icons/rows-4'
import Sun from 'lucide-react/icons/sun'
import SunMoon from 'lucide-react/icons/sun-moon'
import { density } from '#platform/density.ts'
import { letterKeys } from '#platform/letter-keys.ts'
import { theme } from '#platform/theme.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { useStore } from '#platform/use-store.ts'
import { Choice } from '../Choice.tsx'
import { changeSettings, useSettings } from '../settings.queries.ts'
import styles from './AppearancePage.module.css'
import { texts } from './appearance.texts.ts'

const themes = [
  { value: 'light', label: texts.light, icon: <Sun aria-hidden="true" /> },
  { value: 'dark', label: texts.dark, icon: <Moon aria-hidden="true" /> },
  {
    value: 'system',
    label: texts.system,
    description: texts.systemText,
    icon: <SunMoon aria-hidden="true" />,
  },
] as const

const densities = [
  {
    value: 'comfortable',
    label: texts.comfortable,
    description: texts.comfortableText,
    icon: <Rows2 aria-hidden="true" />,
  },
  {
    value: 'compact',
    label: texts.compact,
    description: texts.compactText,
    icon: <Rows4 aria-hidden="true" />,
  },
] as const

const letterKeyOptions = [
  {
    value: 'on',
    label: texts.letterKeysOn,
    description: texts.letterKeysOnText,
    icon: <Keyboard aria-hidden="true" />,
  },
  {
    value: 'off',
    label: texts.letterKeysOff,
    description: texts.letterKeysOffText,
    icon: <KeyboardOff aria-hidden="true" />,
  },
] as const

const firstSteps = [
  { value: 'shown', label: texts.shown, description: texts.firstStepsText },
  { value: 'hidden', label: texts.hidden },
] as const

/** The appearance settings. Choices take effect immediately. All but the letter shortcuts are stored in the account. */
export function AppearancePage() {
  const [chosenTheme, chosenDensity, chosenLetters] = [
    useStore(theme),
    useStore(density),
    useStore(letterKeys),
  ]
  const { isRoot } = useCredentials()
  const { data: settings } = useSettings()
  return (
    <>
      <PageHead title={texts.title} text={texts.description} />
      <Card className={styles.card}>
        <Choice
          label={texts.theme}
          name="theme-choice"
          value={chosenTheme}
          options={themes}
          onChange={theme.choose}
        />
        <Choice
          label={texts.density}
          name="density-choice"
          value={chosenDensity}
          options={densities}
          onChange={(chosen) => {
            density.choose(chosen)
            void changeSettings({ density: chosen })
          }}
        />
        <Choice
          label={texts.letterKeys}
          name="letter-keys-choice"
          value={chosenLetters}
          options={letterKeyOptions}
          onChange={letterKeys.choose}
        />
        {isRoot && settings !== undefined && (
          <Choice
            label={texts.firstSteps}
            name="first-steps-choice"
            value={settings.hidesFirstSteps ? 'hidden' : 'shown'}
            options={firstSteps}
            onChange={(chosen) => void changeSettings({ hidesFirstSteps: chosen === 'hidden' })}
          />
        )}
      </Card>
    </>
  )
}
