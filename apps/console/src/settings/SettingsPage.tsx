import Blocks from 'lucide-react/icons/blocks'
import { SectionPage } from '#platform/section/SectionPage.tsx'
import { useOwnAppSettings } from './extensions/own-app-settings.queries.ts'
import { texts } from './settings.texts.ts'
import { settingsPlaces } from './settings-places.tsx'

const appsPlace = {
  href: '/settings/apps',
  label: texts.apps,
  words: '',
  icon: <Blocks aria-hidden="true" />,
}

/** Shows one page of the user's settings at a time. */
export function SettingsPage() {
  // Most people have none.
  const { data = [] } = useOwnAppSettings()
  const places = data.length === 0 ? settingsPlaces : [...settingsPlaces, appsPlace]
  return <SectionPage title={texts.title} places={places} wide />
}
