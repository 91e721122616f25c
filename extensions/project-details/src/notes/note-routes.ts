import { resourceRoute } from '#platform/resource/resource-route.tsx'

/** The notes of the active project. */
export const notesRoute = resourceRoute('/notes', async () => (await import('./NotesPage.tsx')).NotesPage)
