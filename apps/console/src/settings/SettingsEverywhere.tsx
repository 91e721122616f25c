/// <reference types="w3c-web-hid" />
import { useEffect, useState } from 'react'
import { keepLoading } from '#platform/failed-load.ts'
import { lateModule } from '#platform/late-module.ts'
import { useStore } from '#platform/use-store.ts'
import { decksInUse } from './decks-in-use.ts'
import { followSettings } from './follow-settings.ts'

/** Only users with a deck load its code. */
const deckRunner = lateModule(() => import('./stream-decks/DeckRunner.tsx'))

/** The effects of settings on every page: the account's appearance, and working Stream Deck keys. */
export function SettingsEverywhere() {
  useEffect(() => followSettings(), [])
  return useDecks() ? <Decks /> : null
}

function Decks() {
  const { DeckRunner } = deckRunner.get()
  return <DeckRunner />
}

/** True for a user who has allowed this page to use a deck or is about to, once the code for decks has loaded. */
function useDecks(): boolean {
  const isInUse = useStore(decksInUse)
  const [isLoaded, setIsLoaded] = useState(deckRunner.isLoaded)
  useEffect(() => {
    if (!('hid' in navigator)) return
    const { hid } = navigator
    const look = () =>
      void hid.getDevices().then((devices) => {
        if (devices.length > 0) decksInUse.set(true)
      }, reportError)
    look()
    hid.addEventListener('connect', look)
    return () => hid.removeEventListener('connect', look)
  }, [])
  useEffect(() => {
    if (!isInUse) return undefined
    return keepLoading(deckRunner.load, () => setIsLoaded(true))
  }, [isInUse])
  return isInUse && isLoaded
}
