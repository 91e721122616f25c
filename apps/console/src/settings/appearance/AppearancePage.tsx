import { Card, PageHeader } from '@pult/ui'
import Moon from 'lucide-react/icons/moon'
import Rows2 from 'lucide-react/icons/rows-2'
import Rows4 from 'lucide-react/icons/rows-4'
import Sun from 'lucide-react/icons/sun'
import SunMoon from 'lucide-react/icons/sun-moon'
import { density } from '#platform/density.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { theme } from '#platform/theme.ts'
import { useStore } from '#platform/use-store.ts'
import { Choice } from '../Choice.tsx'
import { changeSettings } from '../settings.queries.ts'
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

/** What is chosen is there at once, and kept in the account. */
export function AppearancePage() {
  usePageTitle(texts.title)
  const [chosenTheme, chosenDensity] = [useStore(theme), useStore(density)]
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
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
      </Card>
    </>
  )
}
