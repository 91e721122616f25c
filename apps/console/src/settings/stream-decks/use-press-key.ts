import { streamDeckEndpoints } from '@pult/contract'
import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { api } from '#platform/api.ts'
import { notify } from '#platform/notify.ts'
import { withProject } from '#platform/project-address.ts'
import { openDocument } from '#platform/storage.ts'
import { useActiveProject } from '../../projects/projects.queries.ts'
import { keyAt } from './deck-change.ts'
import { deckSettings, saveDecks } from './deck-settings.ts'
import { texts } from './stream-decks.texts.ts'

/** Runs a key's action. The server checks the permission, and this page opens the result. */
export function usePressKey(): (slot: number, key: number) => Promise<void> {
  const navigate = useNavigate()
  const active = useActiveProject()?._id
  return useCallback(
    async (slot, key) => {
      const { settings } = deckSettings.get()
      const face = settings && keyAt(settings, { slot, key })
      if (face === null || face.action === null) return
      try {
        // Saves pending changes first, so that the server runs the current action.
        await saveDecks()
        const { open, project } = await api(streamDeckEndpoints.press, { body: { slot, key } })
        if (open === null) return
        if (project === null || project === active) return void navigate(open)
        // Another project has other apps, so its page is loaded. The browser asks before unsaved input is lost.
        openDocument(withProject(open, project))
      } catch (error) {
        notify.error(texts.pressFailed(face.label || texts.key(key, '')), error)
      }
    },
    [navigate, active],
  )
}
