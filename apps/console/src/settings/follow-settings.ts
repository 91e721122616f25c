import { oneAtATime, readAgain } from '@pult/sdk/host'
import { queryClient } from '#platform/query-client.ts'
import { subscribe } from '#platform/realtime.ts'
import { theme } from '#platform/theme.ts'
import { changeSettings, settingsQuery } from './settings.queries.ts'

/** Keeps this browser as the person's account says, and the account as the person says here. Returns how to stop. */
export function followSettings(): () => void {
  const read = oneAtATime(async () => {
    // On screen or not: what it sets is everywhere.
    await readAgain(queryClient, settingsQuery.queryKey)
    await queryClient.query(settingsQuery)
  })
  const stopHearing = subscribe('settings', ({ kind }) => {
    if (kind !== 'ended') read()
  })
  const stopSaving = theme.onChoose((chosen) => void changeSettings({ theme: chosen }))
  return () => {
    stopHearing()
    stopSaving()
  }
}
