import { SectionPage, type SectionPageProps } from '#platform/section/SectionPage.tsx'
import { useOwnAppSettings } from './extensions/own-app-settings.queries.ts'

/** Shows one page of the user's settings at a time. */
export function SettingsPage({ places, ...section }: SectionPageProps) {
  // Most users have no settings of apps.
  const { data = [] } = useOwnAppSettings()
  const shown = places.filter(({ permission }) => permission !== 'app-settings' || data.length > 0)
  return <SectionPage {...section} places={shown} />
}
