import { settingsEndpoints } from '@pult/contract'
import { isReadSinceOpening, oneAtATime, readTouched } from '@pult/sdk/host'
import { queryClient } from '#platform/query-client.ts'
import { subscribe } from '#platform/realtime.ts'
import { theme } from '#platform/theme.ts'
import { changeSettings, settingsQuery } from './settings.queries.ts'

/**
 * Applies the account's settings to this browser, and stores choices made here in the account. Returns a function
 * that stops it.
 */
export function followSettings(): () => void {
  const read = oneAtATime(async () => {
    // Refetched even if unused on screen, because the settings affect every page.
    await readTouched(queryClient, [settingsEndpoints.read])
    await queryClient.query(settingsQuery)
  })
  const stopHearing = subscribe('settings', (news) => {
    const isKnown =
      news.kind === 'gap' && isReadSinceOpening(queryClient.getQueryData(settingsQuery.queryKey), news.at)
    if (news.kind !== 'ended' && !isKnown) read()
  })
  const stopSaving = theme.onChoose((chosen) => void changeSettings({ theme: chosen }))
  return () => {
    stopHearing()
    stopSaving()
  }
}
